"""What a browser gets: the page's files, pictures, and protection against other sites' scripts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from bot.playground.world import World

PAGE = Path(__file__).parent / "page"
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_INLINE = {"image/png", "image/gif", "image/jpeg", "image/webp"}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses requests under a foreign name (DNS rebinding) or from a foreign page."""
    host = request.headers.get("Host", "")
    if urlsplit(f"//{host}").hostname not in _LOOPBACK:
        raise web.HTTPForbidden(text="This server answers on loopback names only.\n")
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{host}":
        raise web.HTTPForbidden(text="Pages from elsewhere may not use this server.\n")
    return await handler(request)


class Web:
    """The routes of the page's files and of uploaded pictures."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._files = {path.name: path for path in PAGE.iterdir() if path.suffix in _TYPES}

    def mount(self, app: web.Application) -> None:
        """Adds the routes to an application."""
        app.router.add_get("/", self._index)
        app.router.add_get("/page/{name}", self._file)
        app.router.add_get(r"/cdn/emojis/{emoji_id:\d+}{ending:(\.\w+)?}", self._emoji)
        app.router.add_get(r"/cdn/attachments/{channel_id:\d+}/{attachment_id:\d+}/{name}", self._attachment)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        response = self._served(request, "index.html")
        host = request.headers["Host"]
        response.headers["Content-Security-Policy"] = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._served(request, request.match_info["name"])

    def _served(self, request: web.Request, name: str) -> web.StreamResponse:
        path = self._files.get(name)
        if path is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        headers["Content-Type"] = f"{_TYPES[path.suffix]}; charset=utf-8"
        return web.FileResponse(path, headers=headers)

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        item = self._world.emoji.get(int(request.match_info["emoji_id"]))
        if item is None:
            raise web.HTTPNotFound
        return _picture(item.data, "image/gif" if item.animated else "image/png", "max-age=86400, immutable")

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        item = self._world.files.get(int(request.match_info["attachment_id"]))
        # The secret keeps a player from guessing the address of somebody else's private picture.
        if item is None or not item.url.endswith(f"?{request.query_string}"):
            raise web.HTTPNotFound
        if item.content_type in _INLINE:
            return _picture(item.data, item.content_type, "private, max-age=3600")
        response = _picture(item.data, "application/octet-stream", "private")
        response.headers["Content-Disposition"] = f'attachment; filename="{item.filename}"'
        return response


def _picture(data: bytes, content_type: str, caching: str) -> web.Response:
    headers = {
        "Cache-Control": caching,
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return web.Response(body=data, content_type=content_type, headers=headers)
