"""The world as Discord's objects: what READY, GUILD_CREATE and the REST routes say."""

from __future__ import annotations

from bot.playground.errors import Json
from bot.playground.models import DM, Channel, Emoji, Guild, Message, User, iso
from bot.playground.world import World


def application(world: World) -> Json:
    """Returns the application object."""
    owner = next(iter(world.guilds.values())).owner_id if world.guilds else world.bot.id
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "bot": world.bot.payload(),
        "owner": world.users[owner].payload(),
        "team": None,
        "verify_key": "0" * 64,
        "type": None,
        "flags": 1 << 23,
        "flags_new": str(1 << 23),
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "integration_types_config": {"0": {}, "1": {}},
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    }


def bot_user(world: World) -> Json:
    """Returns the bot's own user object."""
    return {**world.bot.payload(), "verified": True, "mfa_enabled": False, "flags": 0, "email": None}


def member(world: World, guild: Guild, user: User, channel: Channel | None = None) -> Json:
    """Returns a member object, with its permissions in *channel* as interactions carry them."""
    body: Json = {
        "user": user.payload(),
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": [str(role_id) for role_id in guild.members[user.id]],
        "joined_at": iso(guild.created),
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    if channel is not None:
        body["permissions"] = str(world.permissions(user, channel))
    return body


def channel(world: World, item: Channel) -> Json:
    """Returns a channel object."""
    last = str(item.message_ids[-1]) if item.message_ids else None
    if item.kind == DM:
        assert item.recipient_id is not None
        recipients = [world.users[item.recipient_id].payload()]
        return {
            "id": str(item.id),
            "type": DM,
            "last_message_id": last,
            "flags": 0,
            "recipients": recipients,
        }
    guild = world.guilds[item.guild_id or 0]
    return {
        "id": str(item.id),
        "type": item.kind,
        "guild_id": str(guild.id),
        "name": item.name,
        "topic": item.topic or None,
        "position": list(guild.channels).index(item.id),
        "permission_overwrites": [
            {
                "id": str(target),
                "type": int(target not in guild.roles),
                "allow": str(allow),
                "deny": str(deny),
            }
            for target, allow, deny in item.overwrites
        ],
        "parent_id": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "last_message_id": last,
        "flags": 0,
    }


def guild(world: World, item: Guild) -> Json:
    """Returns a server as ``GUILD_CREATE`` brings it; of its members only the bot, as without that intent."""
    return {
        "id": str(item.id),
        "name": item.name,
        "owner_id": str(item.owner_id),
        "roles": [role.payload(position) for position, role in enumerate(item.roles.values())],
        "channels": [channel(world, c) for c in item.channels.values()],
        "members": [member(world, item, world.bot)] if world.bot.id in item.members else [],
        "member_count": len(item.members),
        "joined_at": iso(item.created),
        "preferred_locale": "en-US",
        "unavailable": False,
        "large": False,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "vanity_url_code": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "application_id": None,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "features": [],
        "emojis": [],
        "stickers": [],
        "threads": [],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def emoji(world: World, item: Emoji) -> Json:
    """Returns an application emoji."""
    return {
        "id": str(item.id),
        "name": item.name,
        "roles": [],
        "user": world.bot.payload(),
        "require_colons": True,
        "managed": False,
        "animated": item.animated,
        "available": True,
    }


def message(world: World, item: Message) -> Json:
    """Returns a message object."""
    body: Json = {
        "id": str(item.id),
        "channel_id": str(item.channel_id),
        "type": 20 if item.interaction and item.interaction.get("name") else 0,
        "author": world.users[item.author_id].payload(),
        "content": item.content,
        "timestamp": iso(item.created),
        "edited_timestamp": None if item.edited is None else iso(item.edited),
        "tts": False,
        "mention_everyone": 0 in item.pinged,
        "mentions": [world.users[u].payload() for u in sorted(item.pinged) if u in world.users],
        "mention_roles": [str(r) for r in sorted(item.pinged) if r and r not in world.users],
        "attachments": [attachment.payload() for attachment in item.attachments],
        "embeds": item.embeds,
        "components": item.components,
        "pinned": False,
        "flags": item.flags,
    }
    if item.author_id == world.bot.id:
        body["application_id"] = str(world.bot.id)
    if item.interaction is not None:
        body["webhook_id"] = str(world.bot.id)
        body["interaction_metadata"] = item.interaction
    if item.reference_id is not None:
        reference = {"type": 0, "channel_id": str(item.channel_id), "message_id": str(item.reference_id)}
        body |= {"type": 19, "message_reference": reference}
    if item.nonce is not None:
        body["nonce"] = item.nonce
    return body
