"""The playground: a loopback Discord and its page in one server."""

from __future__ import annotations

import time

from aiohttp import web

from bot.playground import payloads
from bot.playground.commands import Commands
from bot.playground.faults import Faults, Record
from bot.playground.gateway import Gateway
from bot.playground.interaction import Interaction
from bot.playground.interactions import Interactions
from bot.playground.models import Channel, Guild
from bot.playground.page_socket import PageSocket
from bot.playground.player import Player
from bot.playground.ratelimits import RateLimits
from bot.playground.rest import LARGEST_REQUEST, PREFIX, Rest
from bot.playground.routes_application import ApplicationRoutes
from bot.playground.routes_interactions import InteractionRoutes
from bot.playground.routes_messages import MessageRoutes
from bot.playground.snowflakes import Clock
from bot.playground.waiting import Signal
from bot.playground.web import Web, guard
from bot.playground.world import ListEvent, World

HOST = "127.0.0.1"
CHANNELS = ("race-track", "daily-deal", "lounge")


class Playground:
    """A Discord of one's own.

        playground = Playground()
        await playground.start()
        ...  # a bot connects to playground.api_url and playground.gateway_url
        ada = playground.add_player("Ada")
        await ada.slash("race new", {"game": "links"})
        await playground.stop()

    *clock* tells the Unix time in seconds; tests give their own to age tokens and messages. *token*: the only
    one accepted, None for any. *rate_limits*: whether sends and edits are limited as at Discord. *deadline*:
    seconds that the bot has for an answer. *heartbeat*: seconds between heartbeats. *shards*: how many the
    bot is told to use. *record*: how many requests are remembered.
    """

    def __init__(
        self,
        *,
        clock: Clock = time.time,
        token: str | None = None,
        bot_name: str = "Same Deal",
        guild_name: str = "Patience Club",
        channels: tuple[str, ...] = CHANNELS,
        rate_limits: bool = False,
        deadline: float = 3.0,
        heartbeat: float = 41.25,
        compress: bool = True,
        shards: int = 1,
        record: int = 10_000,
        tips: tuple[str, ...] = (),
        founded: float | None = None,
    ) -> None:
        self.world = World(clock, bot_name=bot_name, founded=founded)
        self.faults = Faults()
        self.record = Record(record)
        self.commands = Commands(self.world)
        self.interactions = Interactions(self.world, deadline=deadline)
        self.gateway = Gateway(self.world, token=token, heartbeat=heartbeat, compress=compress)
        self.limits = RateLimits(clock, enabled=rate_limits)
        self.signal = Signal()
        """Pulses after each request and each change of the world."""
        self._token = token
        self._shards = shards
        self._tips = tips
        self._runner: web.AppRunner | None = None
        self._sockets: set[web.WebSocketResponse] = set()
        owner = self.world.add_user("Robin", age_days=2500)
        self.guild = self.world.add_guild(guild_name, channels, owner)
        self.owner = self.player(owner.id)
        """The server's owner, who may do everything in it."""
        self.record.watch = lambda request: self.signal.pulse()
        self.world.watch(lambda event: self.signal.pulse())

    # ---------------------------------------------------------------- serving

    async def start(self, port: int = 0) -> None:
        """Listens on a loopback port; 0 takes a free one.

        :raises OSError: the port is taken
        """
        app = web.Application(client_max_size=LARGEST_REQUEST, middlewares=[guard])
        rest = Rest(token=self._token, faults=self.faults, record=self.record)
        routes = [
            *InteractionRoutes(self.world, self.interactions, self.limits).routes(),
            *MessageRoutes(self.world, self.limits).routes(),
            *ApplicationRoutes(self.world, self.commands, self.gateway, shards=self._shards).routes(),
        ]
        rest.mount(app, routes)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/socket", self._page)
        Web(self.world).mount(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0, handler_cancellation=True)
        await runner.setup()
        self._runner = runner
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError:
            await self.stop()
            raise
        self.world.base_url = f"http://{HOST}:{runner.addresses[0][1]}"
        self.gateway.url = self.gateway_url

    async def stop(self) -> None:
        """Closes all connections and stops listening."""
        await self.gateway.stop()
        for ws in tuple(self._sockets):
            await ws.close(code=1001)
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Playground:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    @property
    def api_url(self) -> str:
        """Where the REST routes are, for ``DISCORD_API_URL``."""
        return self.world.base_url + PREFIX

    @property
    def gateway_url(self) -> str:
        """Where the gateway is, for ``DISCORD_GATEWAY_URL``."""
        return self.world.base_url.replace("http", "ws", 1) + "/gateway"

    @property
    def page_url(self) -> str:
        """Where the page is, for a browser."""
        return self.world.base_url + "/"

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """Serves a tab; `guard` has looked at who asks, and browsers always say where they come from."""
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text="This socket is for the page.\n")
        number = request.query.get("player", "")
        known = number.isdigit() and int(number) in self.world.users
        player = self.player(int(number)) if known and int(number) != self.world.bot.id else None
        ws = web.WebSocketResponse(heartbeat=30.0)
        await ws.prepare(request)
        self._sockets.add(ws)
        try:
            await PageSocket(self.world, self.commands, player, self._tips).serve(ws, self.add_player)
        finally:
            self._sockets.discard(ws)
        return ws

    # ------------------------------------------------------------ the world

    def player(self, user_id: int, *, guild: Guild | None = None) -> Player:
        """Returns a handle for a user who exists, at home in the first channel of *guild*."""
        home = next(iter((guild or self.guild).channels.values()))
        return Player(self.world, self.commands, self.interactions, self.world.users[user_id], home)

    def add_player(
        self,
        name: str,
        *,
        age_days: float = 800,
        moderator: bool = False,
        locale: str = "en-US",
        guild: Guild | None = None,
    ) -> Player:
        """Adds a person to the server; *moderator*: with Manage Server.

        :raises ValueError: the name is empty or too long
        """
        name = " ".join(name.split())
        if not 1 <= len(name) <= 32 or not name.isprintable():
            raise ValueError("a name has 1 to 32 characters")
        user = self.world.add_user(name, age_days=age_days, locale=locale)
        place = guild or self.guild
        roles = [role.id for role in place.roles.values() if moderator and role.name == "Moderator"]
        place.members[user.id] = roles
        self.world.tell(ListEvent("players"))
        return self.player(user.id, guild=place)

    def add_guild(self, name: str, channels: tuple[str, ...] = CHANNELS) -> Guild:
        """Adds another server that the bot is in."""
        guild = self.world.add_guild(name, channels, self.owner.user)
        self.world.dispatch("GUILD_CREATE", payloads.guild(self.world, guild), guild)
        return guild

    def channel(self, name: str, *, guild: Guild | None = None) -> Channel:
        """Returns the channel with this name.

        :raises LookupError: there is none
        """
        for channel in (guild or self.guild).channels.values():
            if channel.name == name:
                return channel
        raise LookupError(name)

    def allow(
        self,
        channel: Channel,
        *,
        deny: int = 0,
        grant: int = 0,
        player: Player | None = None,
    ) -> None:
        """Denies and grants `Permission` bits to the bot (or *player*) in *channel*; without bits, resets them."""
        target = player.id if player else self.world.bot.id
        channel.overwrites = [rule for rule in channel.overwrites if rule[0] != target]
        if deny or grant:
            channel.overwrites.append((target, int(grant), int(deny)))
        data = payloads.channel(self.world, channel)
        self.world.dispatch("CHANNEL_UPDATE", data, self.world.guild_of(channel))
        self.world.tell(ListEvent("channels"))

    def redeliver(self, interaction: Interaction) -> None:
        """Sends an interaction to the bot once more, as a gateway does that is unsure."""
        self.interactions.deliver(interaction)
