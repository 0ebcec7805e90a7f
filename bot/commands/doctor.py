"""``same-deal doctor``."""

from __future__ import annotations

import asyncio
import sys
from importlib.resources.abc import Traversable

from bot import doctor as looks
from bot.settings import Settings
from bot.store.migrations import load_migrations


def doctor(settings: Settings, migrations: Traversable) -> int:
    """Prints what was found; returns 0 if the bot can run, 1 if something has to be fixed first."""
    findings = asyncio.run(
        looks.examine(
            settings.token,
            settings.api_url,
            settings.gateway_url,
            settings.database_url,
            load_migrations(migrations),
        )
    )
    for finding in findings:
        sys.stdout.write(f"{finding}\n")
    return int(any(finding.grade is looks.Grade.BAD for finding in findings))
