"""An Alertmanager that routes as docs/monitoring.md does, and tells a server that stands for Slack.

An incoming webhook of Slack gets JSON and answers `ok`
(https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from tests.e2e.folders import DOCS
from tests.e2e.monitoring.loopback import Reply
from tests.e2e.processes.component import answers, component, free_ports

_AT_ONCE = {"group_wait": "0s", "group_interval": "1s"}
"""How long it waits for more alerts of a group, which are half a minute and five by default."""
_TITLE = re.compile(r"\[(?P<status>\w+)(:\d+)?\] (?P<alert>\w+)")
"""How the title of a message begins: `__subject` in template/default.tmpl of
https://github.com/prometheus/alertmanager at v0.34.2."""


@dataclass(frozen=True, slots=True, order=True)
class Message:
    channel: str
    status: str
    """`FIRING` or `RESOLVED`."""
    alert: str


@dataclass(frozen=True, slots=True)
class Notifications:
    messages: list[Message] = field(default_factory=list)

    def answer(self, _: str, body: bytes) -> Reply:
        """Take down a message."""
        content = json.loads(body)
        title = _TITLE.match(content["attachments"][0]["title"])
        assert title is not None, content
        self.messages.append(Message(content["channel"], title["status"], title["alert"]))
        return Reply("ok")


def documented_config() -> dict[str, Any]:
    """Return the configuration that the page shows."""
    page = (DOCS / "monitoring.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in page.split("```yaml\n")[1:]]
    (config,) = (each for block in blocks for each in from_yaml(block) if "receivers" in each)
    return config


@contextmanager
def running_alertmanager(program: Path, slack_url: str, folder: Path, logs: Path) -> Iterator[str]:
    """Run it until the context ends, and yield its address; raise ComponentError."""
    (secret := folder / "slack").write_text(slack_url, encoding="utf-8")
    config = documented_config()
    config["global"]["slack_api_url_file"] = str(secret)
    config["route"] |= _AT_ONCE
    (file := folder / "alertmanager.yaml").write_text(to_yaml(config), encoding="utf-8")
    (port,) = free_ports(1)
    address = f"127.0.0.1:{port}"
    command: list[str | Path] = [
        program,
        f"--config.file={file}",
        f"--storage.path={folder / 'data'}",
        f"--web.listen-address={address}",
        "--cluster.listen-address=",  # it is the only one
    ]
    with component("alertmanager", command, logs) as running:
        running.wait_until("ready", lambda: answers(f"http://{address}/-/ready"))
        yield address
