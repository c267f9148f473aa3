from pathlib import Path

import trustme

from gpuplane.errors import ExitCode
from repair.settings import Remedy, RepairAction, Settings
from rounds.settings import write
from tests.gpuplane.conftest import Run

SETTINGS = Settings(RepairAction.ACT, Remedy.REPLACE, "taint", (), {}, {})


def test_without_an_api_server_nothing_is_repaired(run: Run, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text(write(SETTINGS), encoding="utf-8")
    (tmp_path / "token").write_text("secret", encoding="ascii")
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "ca.crt"))
    files = {"settings": "settings.json", "token": "token", "authority": "ca.crt"}
    options = [f"--{name}={tmp_path / file}" for name, file in files.items()]
    result = run("repair", *options, "--api-server=https://127.0.0.1:1")
    assert (result.exit_code, result.stdout) == (ExitCode.ENVIRONMENT, "")
    assert result.stderr.startswith("nothing further is repaired: the API server does not answer")
