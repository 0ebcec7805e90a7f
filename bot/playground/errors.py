"""Discord's refusals: an HTTP status, a code and a message, as the real service words them.

ApiError                what a route raises to refuse a request
    Refusal             the constant part of it: status, code, message
UnansweredError         an interaction that the bot did not answer in time (seen by the player who pressed)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The fixed part of one of Discord's answers that refuse a request."""

    status: int
    code: int
    message: str


GENERAL = Refusal(404, 0, "404: Not Found")
UNAUTHORIZED = Refusal(401, 0, "401: Unauthorized")
BAD_JSON = Refusal(400, 50109, "The request body contains invalid JSON.")
TOO_LARGE = Refusal(413, 40005, "Request entity too large")
UNKNOWN_APPLICATION = Refusal(404, 10002, "Unknown Application")
UNKNOWN_CHANNEL = Refusal(404, 10003, "Unknown Channel")
UNKNOWN_GUILD = Refusal(404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = Refusal(404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = Refusal(404, 10008, "Unknown Message")
UNKNOWN_USER = Refusal(404, 10013, "Unknown User")
UNKNOWN_EMOJI = Refusal(404, 10014, "Unknown Emoji")
UNKNOWN_WEBHOOK = Refusal(404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION = Refusal(404, 10062, "Unknown interaction")
UNKNOWN_COMMAND = Refusal(404, 10063, "Unknown application command")
TOO_MANY_EMOJI = Refusal(400, 30008, "Maximum number of emojis reached (2000)")
TOO_MANY_COMMANDS = Refusal(400, 30032, "Maximum number of application commands reached (100)")
TOO_MANY_OLD_EDITS = Refusal(
    429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later."
)
ALREADY_ANSWERED = Refusal(400, 40060, "Interaction has already been acknowledged.")
MISSING_ACCESS = Refusal(403, 50001, "Missing Access")
NOT_AUTHOR = Refusal(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE = Refusal(400, 50006, "Cannot send an empty message")
CANNOT_SEND_TO_USER = Refusal(403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS = Refusal(403, 50013, "Missing Permissions")
INVALID_TOKEN = Refusal(401, 50027, "Invalid Webhook Token")
INVALID_FORM = Refusal(400, 50035, "Invalid Form Body")
RATE_LIMITED = Refusal(429, 0, "You are being rate limited.")


class ApiError(Exception):
    """Raised by a route to refuse a request in Discord's own form."""

    def __init__(
        self,
        refusal: Refusal,
        *,
        errors: Json | None = None,
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{refusal.status} {refusal.code}: {refusal.message}")
        self.refusal = refusal
        self.errors = errors
        self.extra = dict(extra or {})
        self.headers = dict(headers or {})

    def body(self) -> Json:
        """Returns the JSON body of the answer."""
        body: Json = {"message": self.refusal.message, "code": self.refusal.code, **self.extra}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class UnansweredError(Exception):
    """Raised to a player whose interaction was not answered within the deadline."""


class Form:
    """Collects what is wrong with a request body, so that one answer names all of it."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def refuse(self, path: str, code: str, message: str) -> None:
        """Notes an error of the field at *path*, such as ``components.0.label``; of the whole if it is empty."""
        place = self.errors
        for part in path.split(".") if path else ():
            place = place.setdefault(part, {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def require(self, path: str) -> None:
        """Notes that a field is missing."""
        self.refuse(path, "BASE_TYPE_REQUIRED", "This field is required")

    def text(self, path: str, value: object, shortest: int, longest: int, *, optional: bool = False) -> str:
        """Returns *value* if it is a text of that many characters, else notes why not."""
        if isinstance(value, str) and shortest <= len(value) <= longest:
            return value
        if value is None:
            if not optional:
                self.require(path)
            return ""
        if not isinstance(value, str):
            self.refuse(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return ""
        self.length(path, len(value), shortest, longest)
        return value

    def length(self, path: str, length: int, shortest: int, longest: int) -> None:
        """Notes a *length* that is outside the two limits."""
        if length > longest and shortest == 0:
            self.refuse(path, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")
        elif not shortest <= length <= longest:
            message = f"Must be between {shortest} and {longest} in length."
            self.refuse(path, "BASE_TYPE_BAD_LENGTH", message)

    def close(self) -> None:
        """Ends the examination.

        :raises ApiError: 50035 with all errors noted, if there are any
        """
        if self.errors:
            raise ApiError(INVALID_FORM, errors=self.errors)


def form_error(path: str, code: str, message: str) -> ApiError:
    """Returns "Invalid Form Body" (50035) with a single error."""
    form = Form()
    form.refuse(path, code, message)
    return ApiError(INVALID_FORM, errors=form.errors)
