"""A process of its own for what takes long: it answers one line with one line."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

REST: Final = 60.0
"""How many seconds no process is begun after one has failed."""
GRACE: Final = 1.0
"""How many seconds one that is ending by itself has for that."""


class ProcessError(Exception):
    """The process has failed, or rests after it has."""


class Process:
    """``python -m`` *module*, asked one question after the other.

    It reads its requests from a pipe: it ends when that is closed, even if the bot was killed. It is begun at the
    first request, and anew after it has failed. It knows nothing of the bot's secrets.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._rests_until = 0.0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The id of the process, None before the first request and after its end."""
        return None if self._process is None else self._process.pid

    async def ask(self, line: str, *, patience: float) -> str:
        """Returns the answer to *line*, given up *patience* seconds after the process has turned to it.

        :raises ProcessError: if there is none.
        """
        async with self._turn:
            if self._closed or asyncio.get_running_loop().time() < self._rests_until:
                raise ProcessError(f"{self._module} rests")
            try:
                async with asyncio.timeout(patience):
                    answer = await self._ask(line)
                if not answer.endswith("\n"):
                    raise OSError("it has ended")
                return answer[:-1]
            except (OSError, TimeoutError) as error:
                self._rests_until = asyncio.get_running_loop().time() + REST
                code = await self._end(grace=0.0 if isinstance(error, TimeoutError) else GRACE)
                # Said once, and not of all that is asked while it rests.
                _log.warning(
                    "%s failed (%r, exit code %s) and rests for %.0f s", self._module, error, code, REST
                )
                raise ProcessError(f"{self._module}: {error!r}") from error
            except asyncio.CancelledError:
                await self._end()  # its answer to the request that was given up must not reach the next one
                raise

    async def close(self) -> None:
        """Ends the process."""
        self._closed = True
        await self._end()

    async def _ask(self, line: str) -> str:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment(os.environ),
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n".encode())
        await process.stdin.drain()
        return (await process.stdout.readline()).decode()

    async def _end(self, *, grace: float = 0.0) -> int | None:
        """Ends the process, and returns its exit code: of a signal, as a negative number, None if there is none.

        One that is dead already must not be killed: its exit code would be lost to asyncio.
        """
        process, self._process = self._process, None
        if process is None:
            return None
        try:
            async with asyncio.timeout(grace):
                await process.wait()
        except TimeoutError:
            pass
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        return await process.wait()


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Returns what a process needs of the bot's *own* environment: not the token."""
    kept = {name: own[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in own}
    return {**kept, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
