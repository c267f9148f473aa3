"""A Prometheus that scrapes and evaluates every second."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import urllib3

from charts_py.objects.manifest_yaml import to_yaml
from tests.e2e.processes.component import component, free_ports
from tests.e2e.processes.probe import answers

_REQUEST_SECONDS = 10
_EVERY = "1s"
_INTERVALS = ("scrape_interval", "scrape_timeout", "evaluation_interval")


@dataclass(frozen=True, slots=True)
class Prometheus:
    """One that runs."""

    url: str

    def query(self, expression: str) -> list[dict[str, str]]:
        """Return the labels of the series that an expression yields now."""
        found = self._get("query", query=expression)["result"]
        return [each["metric"] for each in found]

    def firing(self) -> set[str]:
        """Return the names of the alerts that fire."""
        alerts = self._get("alerts")["alerts"]
        return {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}

    def _get(self, what: str, **parameters: str) -> Any:
        url = f"{self.url}/api/v1/{what}?{urlencode(parameters)}"
        with urllib3.PoolManager(retries=False, timeout=_REQUEST_SECONDS) as pool:
            answer = json.loads(pool.request("GET", url).data)
        assert answer["status"] == "success", answer
        return answer["data"]


@contextmanager
def running_prometheus(
    program: Path,
    scraped: Sequence[Mapping[str, Any]],
    rules: Sequence[Path],
    alertmanager: str,
    folder: Path,
    logs: Path,
) -> Iterator[Prometheus]:
    """Run it until the context ends; raise ComponentError."""
    config = {
        "global": {
            "scrape_interval": _EVERY,
            "scrape_timeout": _EVERY,
            "evaluation_interval": _EVERY,
        },
        "rule_files": [str(file) for file in rules],
        "scrape_configs": list(scraped),
        "alerting": {"alertmanagers": [{"static_configs": [{"targets": [alertmanager]}]}]},
    }
    file = folder / "prometheus.yaml"
    file.write_text(to_yaml(config), encoding="utf-8")
    (port,) = free_ports(1)
    command: list[str | Path] = [
        program,
        f"--config.file={file}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
        f"--rules.alert.resend-delay={_EVERY}",
    ]
    url = f"http://127.0.0.1:{port}"
    with component("prometheus", command, logs) as running:
        running.wait_until("ready", lambda: answers(f"{url}/-/ready"))
        yield Prometheus(url)
