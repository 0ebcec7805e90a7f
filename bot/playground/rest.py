"""What all REST routes share: reading requests, authorization, faults, errors in Discord's form, the record."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import BodyPartReader, web

from bot.playground.composing import Upload
from bot.playground.connection import reset
from bot.playground.errors import BAD_JSON, GENERAL, TOO_LARGE, UNAUTHORIZED, ApiError, Json
from bot.playground.faults import Fault, Faults, Record, Request

PREFIX = "/api/v10"
LARGEST_REQUEST = 26 * 2**20
"""Bytes of a whole request: several files of the largest size would not fit, as at Discord."""

_FILE_FIELD = re.compile(r"files?\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Call:
    """A request as the routes see it."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    payload: Any = None
    uploads: tuple[Upload, ...] = ()

    def number(self, name: str) -> int:
        """Returns an id from the path."""
        return int(self.path[name])

    @property
    def body(self) -> Json:
        """The JSON object of the request.

        :raises ApiError: 50109, there is none
        """
        if not isinstance(self.payload, dict):
            raise ApiError(BAD_JSON)
        return self.payload

    def asks(self, name: str) -> bool:
        """Whether a query parameter is set to something true."""
        return self.query.get(name, "").lower() in ("1", "true")


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a route; without a *body* "204 No Content"."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Route = tuple[str, str, Callable[[Call], Reply]]
"""Method, path template below the prefix, handler. Handlers run without interruption, so they are atomic."""


class Rest:
    """Serves routes as Discord does."""

    def __init__(self, *, token: str | None, faults: Faults, record: Record) -> None:
        self._token = token
        self._faults = faults
        self._record = record

    def mount(self, app: web.Application, routes: list[Route]) -> None:
        """Adds *routes* to an application, and an answer for all other paths."""
        for method, template, handler in routes:
            path = re.sub(r"\{(\w+_id)\}", r"{\1:\\d+}", PREFIX + template)
            app.router.add_route(method, path, self._served(handler))
        app.router.add_route("*", PREFIX + "/{rest:.*}", self._served(self._unknown))

    def _unknown(self, call: Call) -> Reply:
        raise ApiError(GENERAL)

    def _served(
        self, handler: Callable[[Call], Reply]
    ) -> Callable[[web.Request], asyncio.Future[web.StreamResponse] | Any]:
        async def serve(request: web.Request) -> web.StreamResponse:
            at = time.perf_counter()
            await asyncio.sleep(0)  # what has arrived at the same time is noted before any of it is worked on
            path = request.path.removeprefix(PREFIX)
            fault = self._faults.take(request.method, path)
            if fault is not None and fault.delay and not fault.after:
                await asyncio.sleep(fault.delay)
            call = Call(request.match_info, request.query)
            if fault is not None and not fault.after and (fault.drop or fault.status):
                reply = _faulty(fault)
            else:
                try:
                    call = await _read(request)
                    self._authorize(request, path)
                    reply = handler(call)
                except ApiError as error:
                    reply = Reply(error.body(), error.refusal.status, error.headers)
            if fault is not None and fault.after:
                await asyncio.sleep(fault.delay)
                reply = _faulty(fault) if fault.drop or fault.status else reply
            code = reply.body.get("code", 0) if reply.status >= 400 and isinstance(reply.body, dict) else 0
            dropped = fault is not None and fault.drop
            status = 0 if dropped else 204 if reply.body is None and reply.status == 200 else reply.status
            self._record.add(Request(at, request.method, path, status, code, call.payload, call.uploads))
            if dropped:
                reset(request.transport)
                return web.Response(status=500)
            if status == 204:
                return web.Response(status=204, headers=reply.headers)
            return web.Response(
                status=status,
                body=orjson.dumps(reply.body),
                headers=reply.headers,
                content_type="application/json",
            )

        return serve

    def _authorize(self, request: web.Request, path: str) -> None:
        """Refuses requests without the bot's token, where Discord asks for it."""
        if path.startswith(("/interactions/", "/webhooks/")) or path == "/gateway":
            return
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bot" or not token or (self._token or token) != token:
            raise ApiError(UNAUTHORIZED)


def _faulty(fault: Fault) -> Reply:
    body = fault.body if fault.body is not None else {"message": "injected fault", "code": 0}
    return Reply(body, fault.status or 500, fault.headers)


async def _read(request: web.Request) -> Call:
    """Returns the request with its body read, be it JSON or multipart.

    :raises ApiError: 50109, not JSON; 40005, too large
    """
    payload: Any = None
    uploads: list[Upload] = []
    try:
        if request.content_type == "multipart/form-data":
            async for part in await request.multipart():
                if not isinstance(part, BodyPartReader):
                    continue
                name = part.name or ""
                data = bytes(await part.read())
                numbered = _FILE_FIELD.fullmatch(name)
                if name == "payload_json":
                    payload = orjson.loads(data)
                elif part.filename is not None:
                    number = int(numbered[1]) if numbered else len(uploads)
                    kind = part.headers.get("Content-Type", "application/octet-stream")
                    uploads.append(Upload(number, part.filename, kind, data))
                if sum(len(upload.data) for upload in uploads) > LARGEST_REQUEST:
                    raise ApiError(TOO_LARGE)
            payload = {} if payload is None else payload
        elif request.can_read_body:
            payload = orjson.loads(await request.read())
    except (orjson.JSONDecodeError, ValueError) as error:
        raise ApiError(BAD_JSON) from error
    except web.HTTPRequestEntityTooLarge as error:
        raise ApiError(TOO_LARGE) from error
    return Call(request.match_info, request.query, payload, tuple(uploads))
