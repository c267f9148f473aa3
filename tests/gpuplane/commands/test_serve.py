import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
import trustme

from policies.settings import Settings
from policies.settings_json import write_settings
from tests.gpuplane.conftest import Run
from tests.gpuplane.hidden_packages import command_without

RENDERING = ("cdk8s", "charts_py", "jsonpatch", "ruamel", "semver", "upstream", "yaml")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """Return the options that name good files, and a free port of loopback."""
    (tmp_path / "settings.json").write_text(write_settings(Settings("test")), encoding="utf-8")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.crt"))
    certificate = authority.issue_cert("127.0.0.1")
    certificate.cert_chain_pems[0].write_to_path(str(tmp_path / "tls.crt"))
    certificate.private_key_pem.write_to_path(str(tmp_path / "tls.key"))
    return (
        f"--settings={tmp_path / 'settings.json'}",
        f"--certificate={tmp_path / 'tls.crt'}",
        f"--key={tmp_path / 'tls.key'}",
        *("--host", "127.0.0.1", "--port", "0", "--drain-seconds", "0"),
    )


def test_it_serves_without_what_rendering_needs_until_sigterm(
    files: tuple[str, ...], tmp_path: Path
) -> None:
    command = [*command_without(RENDERING), "serve", *files]
    trusted = ssl.create_default_context(cafile=str(tmp_path / "ca.crt"))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = msgspec.json.decode(process.stdout.readline())["port"]
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/livez", context=trusted) as answer:
            assert answer.read() == b"ok\n"
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=10)
    assert (process.returncode, stderr) == (0, b"")


def test_broken_settings_are_wrong_input(files: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}", encoding="utf-8")
    command = [sys.executable, "-m", "gpuplane", "serve", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    hint = (
        f"this webhook is gpuplane {version('gpuplane')}: if a newer one wrote the settings, update"
    )
    line = f"settings.json: version: null is unknown; allowed: 1; {hint} its image first\n"
    assert (done.returncode, done.stderr) == (2, f"{tmp_path}/{line}")


def test_a_port_that_is_taken_is_the_machines_fault(run: Run, files: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", *files, "--port", port)
    assert result.exit_code == 3
    assert result.stderr.startswith(f"127.0.0.1:{port}: Address already in use")
