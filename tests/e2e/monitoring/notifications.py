"""What Alertmanager tells people: a server that stands for Slack.

An incoming webhook of Slack gets JSON and answers `ok`
(https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
"""

import json
import re
from dataclasses import dataclass, field

from tests.e2e.monitoring.loopback import Reply

_TITLE = re.compile(r"\[(?P<status>\w+)(:\d+)?\] (?P<alert>\w+)")
"""How the title of a message begins: `__subject` in template/default.tmpl of
https://github.com/prometheus/alertmanager at v0.34.2."""


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A message in a channel."""

    channel: str
    status: str
    """`FIRING` or `RESOLVED`."""
    alert: str


@dataclass(frozen=True, slots=True)
class Notifications:
    """The messages that have come, in their order."""

    messages: list[Message] = field(default_factory=list)

    def answer(self, _: str, body: bytes) -> Reply:
        """Take down a message."""
        content = json.loads(body)
        title = _TITLE.match(content["attachments"][0]["title"])
        assert title is not None, content
        self.messages.append(Message(content["channel"], title["status"], title["alert"]))
        return Reply("ok")
