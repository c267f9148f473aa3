"""An Alertmanager that routes as docs/monitoring.md does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from tests.e2e.folders import DOCS
from tests.e2e.processes.component import component, free_ports
from tests.e2e.processes.probe import answers

_AT_ONCE = {"group_wait": "0s", "group_interval": "1s"}
"""How long it waits for more alerts of a group, which are half a minute and five by default."""


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
