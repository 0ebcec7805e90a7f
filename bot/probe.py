"""Asks a running bot how it is, for health checks of containers: ``python -m bot.probe``; exit code 0 if it is well.

It imports nothing of the bot, so that it costs little to run every half minute.
"""

from __future__ import annotations

import http.client
import os
import sys
import urllib.error
import urllib.request

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8093
TIMEOUT = 5.0
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a bot is to be found that listens on all addresses."""


def main() -> int:
    """Prints what the bot says of itself and returns the exit code."""
    host = os.environ.get("HEALTH_HOST") or DEFAULT_HOST
    host = ANYWHERE.get(host, host)
    port = os.environ.get("HEALTH_PORT") or str(DEFAULT_PORT)
    if port == "0":
        sys.stdout.write("the bot is not asked: HEALTH_PORT is 0")
        return 0
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/healthz"
    # The bot is here: a proxy that the environment names is for elsewhere.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=TIMEOUT) as answer:
            sys.stdout.write(answer.read().decode())
            return 0
    except urllib.error.HTTPError as error:
        with error:
            sys.stdout.write(error.read().decode())
        return 1
    except (OSError, http.client.HTTPException) as error:
        sys.stdout.write(f"the bot does not answer on port {port}: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
