"""Asks a running bot how it is, for health checks of containers: ``python -m bot.probe``; exit code 0 if it is well.

It imports nothing of the bot, so that it costs little to run every half minute.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request

DEFAULT_PORT = 8093
TIMEOUT = 5.0


def main() -> int:
    """Prints what the bot says of itself and returns the exit code."""
    port = os.environ.get("HEALTH_PORT") or str(DEFAULT_PORT)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT) as answer:
            sys.stdout.write(answer.read().decode())
            return 0
    except urllib.error.HTTPError as error:
        with error:
            sys.stdout.write(error.read().decode())
        return 1
    except OSError as error:
        sys.stdout.write(f"the bot does not answer on port {port}: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
