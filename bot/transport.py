"""The way of answers to Discord: one policy for every callback and one for what follows it, whatever happens to them.

discord.py retries nothing after a lost connection, waits minutes for a silent one, and backs off past Discord's
three seconds after a 5xx. The adapter below has one total deadline for a callback, and tries again within it; what
follows has more time, and a few tries. It takes the place of discord.py's own through the context variable that
discord.py keeps for it. That variable, the adapter and the session are private API of discord.py 2.7, and this is the
only module that touches them; where another adapter is in place already (as under SimCord), it stays.
"""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

import aiohttp
import discord
import orjson
from discord.http import HTTPClient, MultipartParameters, Route, json_or_text
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.logs import INTERACTION
from bot.metrics import Fault, Metrics
from bot.views.payload import Message

_log = logging.getLogger(__name__)

DEADLINE = 2.5
"""How long after its receipt an interaction is answered at the latest, in seconds."""
PAUSES = (0.05, 0.15, 0.3, 0.6)
"""How long to wait before each new try, in seconds; the last one repeats."""
CONTENT_TYPES = {
    "png": "image/png",
    "gif": "image/gif",
    "json": "application/json",
    "gz": "application/gzip",
    "md": "text/markdown",
}
"""What a file is, by the end of its name."""
ALREADY_ACKNOWLEDGED = 40060
INVALID_FORM = 50035
"""Discord's code for a message that it does not take: a fault of ours, not of the line."""

_UNTIMED = aiohttp.ClientTimeout(total=None)
ONE_TRY = 1.2
"""How long one try may take before another connection is tried, in seconds."""
LATER_TRY = 15.0
"""How long one try of what follows the callback may take, in seconds: a film's upload and Discord's limits included."""
LATER_PAUSES = (0.2, 1.0, 4.0)
"""How long to wait before each new try of it, in seconds; then it is given up, though the token lives longer."""
SILENCE = 30.0
"""How long one try of what the bot sends of its own accord may take, in seconds: of messages the largest included."""
LIMITED, SERVER_ERROR = 429, 500
"""The status of too many requests, and that from which on an error is Discord's own."""
LINE_ERRORS = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, ConnectionError)
"""What a lost connection raises; a silent one raises TimeoutError."""


class AnswerLostError(ConnectionError):
    """An answer that is not known to have got through to Discord in time."""


_received: ContextVar[float | None] = ContextVar("received", default=None)


def mark_received(interaction: discord.Interaction) -> float:
    """Notes that *interaction*, which the current task handles, has just been received, and returns when."""
    now = time.monotonic()
    _received.set(now)
    INTERACTION.set(interaction.id)
    return now


def received_at() -> float:
    """Returns the monotonic instant, in seconds, at which the interaction of the current task was received."""
    received = _received.get()
    return time.monotonic() if received is None else received


class DeadlineAdapter(AsyncWebhookAdapter):
    """Sends interaction callbacks within :data:`DEADLINE`, trying again after lost connections and 5xx.

    Requests that follow are tried again as :data:`LATER_PAUSES` says. *metrics* counts what went wrong.
    """

    def __init__(self, metrics: Metrics) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._metrics = metrics

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: dict[str, Any] | None = None,
        multipart: list[dict[str, Any]] | None = None,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        files: Sequence[discord.File] | None = None,
        reason: str | None = None,
        auth_token: str | None = None,
        params: dict[str, Any] | None = None,
    ) -> Any:
        """Sends one request; see the class for how callbacks differ from the rest.

        :raises AnswerLostError: if the line failed and what follows a callback could not or must not be tried again.
        """
        if route.path.endswith("/callback"):
            assert route.webhook_id is not None
            sent = MultipartParameters(payload, multipart, files)
            return await self._call_back(route.url, route.webhook_id, session, sent, params)
        tries = 0
        while True:
            for file in files or ():
                file.reset(seek=tries)
            try:
                async with asyncio.timeout(LATER_TRY):
                    return await super().request(
                        route,
                        session,
                        payload=payload,
                        multipart=multipart,
                        proxy=proxy,
                        proxy_auth=proxy_auth,
                        files=files,
                        reason=reason,
                        auth_token=auth_token,
                        params=params,
                    )
            except (TimeoutError, *LINE_ERRORS) as error:
                self._metrics.fault(Fault.TIMEOUT if isinstance(error, TimeoutError) else Fault.RESET)
                # A message that may have been sent is not sent again: Discord takes no nonce here.
                is_safe = route.method != "POST" or isinstance(error, aiohttp.ClientConnectorError)
                if tries == len(LATER_PAUSES) or not is_safe:
                    raise AnswerLostError(str(error) or type(error).__name__) from error
                _log.debug("%s %s failed (%r), trying again", route.method, route.path, error)
            self._metrics.fault(Fault.RETRY)
            await asyncio.sleep(LATER_PAUSES[tries])
            tries += 1

    async def answer(
        self,
        interaction: int,
        token: str,
        session: aiohttp.ClientSession,
        sent: MultipartParameters,
        *,
        told: bool,
    ) -> Any:
        """Answers an interaction. Only if it is to be *told* Discord says which message came of it."""
        url = f"{Route.BASE}/interactions/{interaction}/{token}/callback"
        return await self._call_back(
            url, interaction, session, sent, {"with_response": "1"} if told else None
        )

    async def _call_back(
        self,
        url: str,
        interaction: int | str,
        session: aiohttp.ClientSession,
        sent: MultipartParameters,
        params: dict[str, Any] | None,
    ) -> Any:
        received = received_at()
        deadline = received + DEADLINE
        waited_for_limit = False
        tries = 0
        while True:
            for file in sent.files or ():
                file.reset(seek=tries)
            data, headers = _encode(sent.payload, sent.multipart)
            failure: Exception
            pause = PAUSES[min(tries, len(PAUSES) - 1)]
            try:
                async with (
                    asyncio.timeout(min(deadline - time.monotonic(), ONE_TRY)),
                    session.post(
                        url, data=data, headers=headers, params=params, timeout=_UNTIMED
                    ) as response,
                ):
                    # What Discord says of an answer is read only where somebody wants to know.
                    is_done = response.status < 300 and params is None
                    body = await (response.read() if is_done else json_or_text(response))
                if response.status < 300:
                    self._metrics.answered(time.monotonic() - received)
                    return None if is_done else body
                if isinstance(body, dict) and body.get("code") == ALREADY_ACKNOWLEDGED:
                    return {"interaction": {"id": interaction, "type": 0}}
                failure = _failure(response, body)
                self._note(response.status)
                if response.status == 429 and isinstance(body, dict) and not waited_for_limit:
                    waited_for_limit, pause = True, float(body.get("retry_after", DEADLINE))
                elif response.status < SERVER_ERROR:
                    raise failure
            except TimeoutError as error:
                failure = error
                self._metrics.fault(Fault.TIMEOUT)
            except LINE_ERRORS as error:
                failure = error
                self._metrics.fault(Fault.RESET)
            tries += 1
            if time.monotonic() + pause >= deadline:
                raise failure
            self._metrics.fault(Fault.RETRY)
            _log.debug("the answer to interaction %s failed (%s), trying again", interaction, failure)
            await asyncio.sleep(pause)

    def _note(self, status: int) -> None:
        if status == 429:
            self._metrics.fault(Fault.RATE_LIMIT)
        elif status >= SERVER_ERROR:
            self._metrics.fault(Fault.SERVER_ERROR)


def install_adapter(metrics: Metrics) -> None:
    """Puts :class:`DeadlineAdapter` in the place of discord.py's own adapter, for tasks made from here on."""
    if type(async_context.get()) is AsyncWebhookAdapter:
        async_context.set(DeadlineAdapter(metrics))


def bound_silence(http: HTTPClient) -> None:
    """Has requests of the bot's own accord fail after :data:`SILENCE`; else a channel may be left alone for minutes.

    Waiting for Discord's limits does not count: discord.py does so between its requests.
    """
    if isinstance(session := _session(http), aiohttp.ClientSession):  # SimCord has none
        session._timeout = aiohttp.ClientTimeout(total=SILENCE)


async def send(
    interaction: discord.Interaction,
    body: dict[str, Any],
    message: Message | None = None,
    *,
    told: bool = False,
) -> dict[str, Any]:
    """Answers an interaction with *body*, which holds *message*, and returns what Discord tells if it is to be *told*.

    :raises AnswerLostError: if nothing good could be heard of Discord in time. It may have the answer all the same.
    :raises discord.HTTPException: if Discord refuses the answer.
    """
    params = _parameters(body, message)
    adapter, session = async_context.get(), _session(interaction.client.http)
    try:
        if isinstance(adapter, DeadlineAdapter):
            found = await adapter.answer(interaction.id, interaction.token, session, params, told=told)
        else:
            found = await adapter.create_interaction_response(
                interaction.id, interaction.token, session=session, params=params
            )
    except (aiohttp.ClientError, OSError, discord.DiscordServerError) as error:
        # A time-out is an OSError too.
        raise AnswerLostError(str(error) or type(error).__name__) from error
    return dict(found or {})


async def message_made(interaction: discord.Interaction, found: dict[str, Any]) -> int:
    """Returns the id of the message that :func:`send` has made, of which Discord has told what it *found*."""
    made = found.get("resource", {}).get("message") or found.get("interaction", {})
    known = made.get("id") if "resource" in found else made.get("response_message_id")
    if known is None:  # the answer got through, but what Discord said of it was lost
        original = await async_context.get().get_original_interaction_response(
            interaction.application_id, interaction.token, session=_session(interaction.client.http)
        )
        known = original["id"]
    return int(known)


async def post(interaction: discord.Interaction, message: Message, *, private: bool) -> int:
    """Sends one more message after the answer to an interaction, and returns its id."""
    params = _parameters(message.body(ephemeral=private), message)
    sent = await async_context.get().execute_webhook(
        interaction.application_id,
        interaction.token,
        session=_session(interaction.client.http),
        payload=params.payload,
        multipart=params.multipart,
        files=params.files,
        wait=True,
    )
    assert sent is not None
    return int(sent["id"])


async def edit_private(
    client: discord.Client, token: str, message: Message, *, message_id: int | None = None
) -> None:
    """Changes a private message through an interaction's *token*: its ``@original``, or the one with the id."""
    assert client.application_id is not None
    params = _parameters(message.body(edit=True), message)
    session = _session(client.http)
    adapter = async_context.get()
    if message_id is None:
        await adapter.edit_original_interaction_response(
            client.application_id,
            token,
            session=session,
            payload=params.payload,
            multipart=params.multipart,
            files=params.files,
        )
    else:
        await adapter.edit_webhook_message(
            client.application_id,
            token,
            message_id,
            session=session,
            payload=params.payload,
            multipart=params.multipart,
            files=params.files,
        )


def message_parameters(
    message: Message, *, edit: bool = False, nonce: str | None = None, ping: int | None = None
) -> MultipartParameters:
    """Returns what discord.py's HTTP client needs to send *message*, or to edit one into it.

    With a *nonce*, Discord sends the same message once only. *ping* is the one role that it may ping.
    """
    body = message.body(edit=edit)
    if ping is not None:
        body["allowed_mentions"] = {"parse": [], "roles": [str(ping)]}
    if nonce is not None:
        body |= {"nonce": nonce, "enforce_nonce": True}
    return _parameters(body, message)


def _parameters(body: dict[str, Any], message: Message | None) -> MultipartParameters:
    if message is None or not message.files:
        return MultipartParameters(payload=body, multipart=None, files=None)
    files = [discord.File(io.BytesIO(file.data), file.name) for file in message.files]
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": orjson.dumps(body).decode()}]
    for index, file in enumerate(files):
        parts.append(
            {
                "name": f"files[{index}]",
                "value": file.fp,
                "filename": file.filename,
                "content_type": CONTENT_TYPES[file.filename.rpartition(".")[2]],
            }
        )
    return MultipartParameters(payload=None, multipart=parts, files=files)


def _encode(
    payload: dict[str, Any] | None, multipart: list[dict[str, Any]] | None
) -> tuple[bytes | aiohttp.FormData | None, dict[str, str]]:
    if multipart:
        form = aiohttp.FormData(quote_fields=False)
        for part in multipart:
            form.add_field(**part)
        return form, {}
    if payload is None:
        return None, {}
    return orjson.dumps(payload), {"Content-Type": "application/json"}


def may_pass(error: discord.HTTPException) -> bool:
    """Tells whether what Discord has refused may be taken later.

    So may what a limit has refused for which discord.py does not wait: Discord's network lets nothing through.
    """
    return error.status >= SERVER_ERROR or error.status == LIMITED


def _failure(response: aiohttp.ClientResponse, body: Any) -> Exception:
    if response.status >= SERVER_ERROR:
        return discord.DiscordServerError(response, body)
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(response.status, discord.HTTPException)
    return kind(response, body)


def _session(http: HTTPClient) -> aiohttp.ClientSession:
    session: aiohttp.ClientSession = http._HTTPClient__session  # type: ignore[attr-defined]
    return session
