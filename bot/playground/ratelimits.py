"""Discord's rate limits, as far as a bot meets them: messages and edits per channel, requests per token."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from bot.playground.errors import RATE_LIMITED, TOO_MANY_OLD_EDITS, ApiError
from bot.playground.models import Message
from bot.playground.snowflakes import Clock

HOUR = 3600.0
OLD_EDITS_AN_HOUR = 3


class RateLimits:
    """Counts requests in windows. With *enabled* false only the limit on edits of old messages is kept."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self.enabled = enabled
        self._windows: dict[str, deque[float]] = {}

    def spend(self, bucket: str, limit: int = 5, seconds: float = 5.0) -> Mapping[str, str]:
        """Counts a request in *bucket* and returns the headers of its answer.

        :raises ApiError: 429, the bucket holds *limit* requests in so many *seconds*
        """
        if not self.enabled:
            return {}
        now = self._clock()
        spent = self._window(bucket, now - seconds)
        left = limit - len(spent)
        reset_after = round(spent[0] + seconds - now if spent else seconds, 3)
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, left - 1)),
            "X-RateLimit-Reset": f"{now + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
            "X-RateLimit-Bucket": bucket.rpartition(":")[0] or bucket,
        }
        if left <= 0:
            more = {"retry_after": reset_after, "global": False}
            said = {
                "Retry-After": str(math.ceil(reset_after)),
                "X-RateLimit-Scope": "user",
                "Via": "1.1 google",
            }
            raise ApiError(RATE_LIMITED, extra=more, headers=headers | said)
        spent.append(now)
        return headers

    def edit(self, message: Message) -> None:
        """Counts an edit of *message* if it is more than an hour old.

        :raises ApiError: 30046, too many such edits in this channel
        """
        now = self._clock()
        if now - message.created <= HOUR:
            return
        spent = self._window(f"old:{message.channel_id}", now - HOUR)
        if len(spent) >= OLD_EDITS_AN_HOUR:
            raise ApiError(TOO_MANY_OLD_EDITS, extra={"retry_after": round(spent[0] + HOUR - now, 3)})
        spent.append(now)

    def _window(self, bucket: str, since: float) -> deque[float]:
        spent = self._windows.setdefault(bucket, deque())
        while spent and spent[0] <= since:
            spent.popleft()
        if len(self._windows) > 5000:
            self._windows = {name: times for name, times in self._windows.items() if times or name == bucket}
        return spent
