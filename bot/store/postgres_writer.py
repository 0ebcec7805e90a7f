"""Group commits on PostgreSQL: conflicts kept apart, what is lost on the way done again or told, never halved."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

import asyncpg

from bot.store.database import Call, ConflictError, Statement, StoreError, UncertainError
from bot.store.postgres_server import PATIENCE, PAUSE, failure, is_lost

TRIES = 4
"""How often a call is tried that others' transactions have kept from its rows."""
PASSING = ("40001", "40P01", "55P03")
"""Serialization failure, deadlock, a lock that was waited for in vain: another try may do."""
READ_ONLY = "25006"
"""What a server says that has become a standby: another connection may lead to the one in its place."""

Outcome = StoreError | None

_QUERY = re.compile(r"\bSELECT\b", re.IGNORECASE)
_CHANGE = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*\bRETURNING\b)", re.IGNORECASE | re.DOTALL)


class Writer:
    """The connection that writes. It is made anew whenever it is lost."""

    __slots__ = ("_connect", "_connection")

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]]) -> None:
        self._connect = connect
        self._connection: asyncpg.Connection | None = None

    async def commit(self, group: Sequence[Call]) -> list[Outcome]:
        """Returns what became of each call of *group* (None: saved).

        :raises UncertainError: if the server was lost at the commit and has not come back to say what became of it.
        :raises StoreError: if nothing of the group was saved.
        """
        outcomes: list[Outcome] = [None] * len(group)
        left = list(range(len(group)))
        until = _now() + PATIENCE
        for number in range(TRIES):
            try:
                results = await self._transact([group[index] for index in left], until, isolated=number > 0)
            except StoreError as error:
                if not number:
                    raise
                results = [type(error)(str(error)) for _ in left]  # of the others some have been saved
            for index, result in zip(left, results, strict=True):
                outcomes[index] = result
            left = [index for index in left if _code(outcomes[index]) in PASSING]
            if not left:
                break
        if any(_code(outcome) == READ_ONLY for outcome in outcomes):
            self.terminate()
        return outcomes

    async def close(self) -> None:
        """Ends the connection, when the server has heard of it."""
        if self._connection is not None:
            await self._connection.close()

    def terminate(self) -> None:
        """Cuts the connection."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _transact(self, calls: Sequence[Call], until: float, *, isolated: bool) -> list[Outcome]:
        """Does *calls* in one transaction, on another connection if the first is lost.

        Savepoints cost more than the statements between them, so that the calls are only *isolated* if one fails.
        """
        while True:
            transaction = _Transaction(await self._connected(until))
            try:
                if not isolated and not await transaction.attempt(calls):
                    isolated = True
                if isolated:
                    await transaction.sift(calls)
                return transaction.outcomes
            except BaseException as error:
                self.terminate()
                if not isinstance(error, Exception):
                    raise
                if transaction.commits is None:
                    if not is_lost(error) or _now() > until:
                        raise failure(error) from error
                elif not is_lost(error):
                    raise failure(error) from error  # the server has refused to commit
                elif await self._is_committed(transaction.commits, _now() + PATIENCE):
                    return transaction.outcomes

    async def _is_committed(self, transaction: str, until: float) -> bool:
        """Tells whether a *transaction* was committed whose end was not heard of.

        :raises UncertainError: if that cannot be learnt.
        """
        while _now() < until:
            try:
                connection = await self._connected(until)
                state = await connection.fetchval("SELECT pg_xact_status($1::text::xid8)", transaction)
            except Exception as error:
                self.terminate()
                if not (isinstance(error, StoreError) or is_lost(error)):
                    raise UncertainError(str(error)) from error
            else:
                if state != "in progress":
                    return bool(state == "committed")
            await asyncio.sleep(PAUSE)
        raise UncertainError("the server was lost at the commit")

    async def _connected(self, until: float) -> asyncpg.Connection:
        while self._connection is None or self._connection.is_closed():
            try:
                self._connection = await self._connect()
            except Exception as error:
                if not is_lost(error) or _now() > until:
                    raise failure(error) from error
                await asyncio.sleep(PAUSE)
        return self._connection


class _Transaction:
    """One transaction and how far it has come.

    *commits* is its number from the moment on from which it may have been committed.
    """

    __slots__ = ("_connection", "_number", "commits", "outcomes")

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self._number = ""
        self.commits: str | None = None
        self.outcomes: list[Outcome] = []

    async def attempt(self, calls: Sequence[Call]) -> bool:
        """Commits *calls* if nothing in them fails, else changes nothing and returns False."""
        await self._begin()
        try:
            for batch in batches(calls):
                await self._change_all(batch)
        except Exception as error:
            if is_lost(error):
                raise
            await self._connection.execute("ROLLBACK")
            return False
        await self._commit([None] * len(calls))
        return True

    async def sift(self, calls: Sequence[Call]) -> None:
        """Commits those of *calls* that do not fail."""
        await self._begin()
        await self._commit([await self._apply(call) for call in calls])

    async def _apply(self, call: Call) -> Outcome:
        """Returns why *call* was undone, None if it was applied."""
        await self._connection.execute("SAVEPOINT call")
        index = 0
        try:
            for index, statement in enumerate(call):
                await self._change(index, statement)
        except Exception as error:
            if is_lost(error):
                raise
            await self._connection.execute("ROLLBACK TO SAVEPOINT call; RELEASE SAVEPOINT call")
            if isinstance(error, StoreError):
                return error
            refused = isinstance(error, asyncpg.IntegrityConstraintViolationError)
            return ConflictError(index, str(error)) if refused else failure(error)
        await self._connection.execute("RELEASE SAVEPOINT call")
        return None

    async def _change(self, index: int, statement: Statement) -> None:
        done = await self._connection.execute(statement.sql, *statement.args)
        if statement.rows is None:
            return
        count = done.rpartition(" ")[2]  # of "INSERT 0 1", "UPDATE 1", "DELETE 1"
        if count != str(statement.rows):
            raise ConflictError(index, f"{count} rows affected, not {statement.rows}")

    async def _change_all(self, batch: Sequence[Statement]) -> None:
        """Does statements with the same SQL, on one way to the server and back."""
        first, *others = batch
        if not others:
            await self._change(0, first)
            return
        sql = f"{first.sql} RETURNING ${len(first.args) + 1}::integer"
        rows = await self._connection.fetchmany(
            sql, [(*each.args, number) for number, each in enumerate(batch)]
        )
        counts = Counter(row[0] for row in rows)
        for number, each in enumerate(batch):
            if each.rows is not None and counts[number] != each.rows:
                raise ConflictError(0, f"{counts[number]} rows affected, not {each.rows}")

    async def _begin(self) -> None:
        await self._connection.execute("BEGIN")
        self._number = await self._connection.fetchval("SELECT pg_current_xact_id()::text")

    async def _commit(self, outcomes: list[Outcome]) -> None:
        self.outcomes = outcomes
        self.commits = self._number
        await self._connection.execute("COMMIT")


def batches(calls: Iterable[Call]) -> Iterator[list[Statement]]:
    """Yields the statements of *calls* so that those with the same SQL come together, each call's in its order.

    Those of several calls are mixed, but for calls that read: what a call reads must not be half of another one.
    """
    mixed: list[Call] = []
    for call in calls:
        if any(_QUERY.search(statement.sql) for statement in call):
            yield from ([statement] for statement in call)
        else:
            mixed.append(call)
    waiting = [deque(call) for call in mixed]
    while waiting := [call for call in waiting if call]:
        sql = waiting[0][0].sql
        if not _CHANGE.match(sql) or len(waiting) == 1:
            yield [waiting[0].popleft()]
            continue
        yield [call.popleft() for call in waiting if call[0].sql == sql]


def _code(outcome: Outcome) -> str | None:
    return None if outcome is None else getattr(outcome.__cause__, "sqlstate", None)


def _now() -> float:
    return asyncio.get_running_loop().time()
