from pathlib import Path

import pytest
import trustme

from culling.settings import Action, Queries, Settings
from gpuplane.errors import ExitCode
from rounds.settings import write
from tests.gpuplane.conftest import Run

SETTINGS = Settings("http://127.0.0.1:1", ("a",), Action.END, 25, Queries("a", "b", "c", "d"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """Return the options that name good files, of servers that are not there."""
    (tmp_path / "settings.json").write_text(write(SETTINGS), encoding="utf-8")
    (tmp_path / "token").write_text("secret", encoding="ascii")
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "ca.crt"))
    return (
        f"--settings={tmp_path / 'settings.json'}",
        f"--token={tmp_path / 'token'}",
        f"--authority={tmp_path / 'ca.crt'}",
    )


def test_without_prometheus_nothing_ends(run: Run, files: tuple[str, ...]) -> None:
    result = run("cull", *files, "--api-server=https://127.0.0.1:1")
    assert (result.exit_code, result.stdout) == (ExitCode.ENVIRONMENT, "")
    assert result.stderr.startswith("nothing ends: Prometheus does not answer")


def test_broken_settings_are_a_fault(run: Run, files: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}", encoding="utf-8")
    result = run("cull", *files)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "missing required field `prometheusUrl`" in result.stderr


def test_outside_of_a_cluster_the_api_server_is_named(
    run: Run, files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    result = run("cull", *files)
    assert result.exit_code == ExitCode.WRONG_INPUT
    assert "--api-server" in result.stderr
