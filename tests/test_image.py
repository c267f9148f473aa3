"""The webhook's image: what it contains, and the user that it runs as."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from http import HTTPStatus
from http.client import HTTPSConnection
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from charts_py.components.webhook.server import PORT, USER
from charts_py.load import load_platform
from charts_py.platform.policy_settings import policy_settings
from culling.settings import Action, Queries, Settings
from gpuplane.errors import ExitCode
from policies.settings_json import write_settings
from repair.settings import Remedy, RepairAction, Settings as RepairSettings
from rounds.settings import Part, write

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "gpuplane" / "new_repository" / "locks"
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")

_IN_THE_IMAGE = """
import json, os, runpy, sys
held = {*sys.stdlib_module_names, *json.loads(os.environ["HELD"])}

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in held and not top.startswith("_sysconfigdata_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NothingElse())
runpy.run_module("gpuplane", run_name="__main__", alter_sys=True)
"""
"""Runs the command line as if only the contents of the image were installed."""


def _copied() -> list[str]:
    """Return the sources that the Dockerfile copies from the repository."""
    return re.findall(r"^COPY (\S+) \S+$", DOCKERFILE, flags=re.MULTILINE)


def _packages() -> set[str]:
    return {source for source in _copied() if (ROOT / source).is_dir()}


def _normal(distribution: str) -> str:
    """Return the name as https://packaging.python.org/en/latest/specifications/name-normalization/."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def _installed() -> set[str]:
    text = (LOCKS / "webhook.txt").read_text(encoding="utf-8")
    names = re.findall(r"^([\w.-]+)(?:\[\S+\])?==", text, flags=re.MULTILINE)
    installed = {_normal(name) for name in names}
    return {
        module
        for module, distributions in packages_distributions().items()
        if installed & {_normal(distribution) for distribution in distributions}
    }


def _start(*arguments: str) -> subprocess.Popen[str]:
    held = json.dumps(sorted({*_packages(), *_installed()}))
    return subprocess.Popen(
        [sys.executable, "-c", _IN_THE_IMAGE, *arguments],
        cwd=ROOT,
        env=os.environ | {"HELD": held},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def served_files(tmp_path: Path) -> list[str]:
    """Return the options that name settings of an example, and a throw-away certificate."""
    settings, certificate, key = (tmp_path / name for name in ("settings.json", "tls.crt", "key"))
    settings.write_text(write_settings(policy_settings(_example())), encoding="utf-8")
    _write_certificate(certificate, key)
    return [f"--settings={settings}", f"--certificate={certificate}", f"--key={key}"]


def _port(server: subprocess.Popen[str]) -> int | None:
    """Return the port that the log names; None where the server exits first."""
    assert server.stdout is not None
    for line in server.stdout:
        entry = json.loads(line)
        if entry["event"] == "listening":
            return int(entry["port"])
    return None


def _get(port: int, path: str) -> int:
    connection = HTTPSConnection(
        "127.0.0.1",
        port,
        timeout=30,
        context=ssl._create_unverified_context(),  # noqa: S323, SLF001 # a throw-away certificate
    )
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def _example() -> Platform:
    clusters = ROOT / "clusters"
    return load_platform(clusters / "training.yaml", clusters / "fleet.yaml")


def _write_certificate(certificate: Path, key: Path) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(private, hashes.SHA256())
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def test_the_image_holds_all_that_serving_needs(served_files: list[str]) -> None:
    server = _start("serve", "--host=127.0.0.1", "--port=0", "--drain-seconds=0", *served_files)
    answer = None if (port := _port(server)) is None else _get(port, "/readyz")
    server.send_signal(signal.SIGTERM)
    _, faults = server.communicate(timeout=30)
    assert (answer, server.returncode) == (HTTPStatus.OK, 0), faults


def test_the_image_installs_nothing_that_only_rendering_needs() -> None:
    lines = (ROOT / "requirements" / "not-served.in").read_text(encoding="utf-8").splitlines()
    installed = (LOCKS / "webhook.txt").read_text(encoding="utf-8")
    assert [name for name in lines if f"\n{name}==" in f"\n{installed}"] == []


def test_a_fault_is_said_without_what_the_image_lacks(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    options = [f"--{name}={missing}" for name in ("settings", "certificate", "key")]
    server = _start("serve", "--host=127.0.0.1", "--port=0", *options)
    _, faults = server.communicate(timeout=30)
    assert (server.returncode, "Traceback" in faults) == (ExitCode.WRONG_INPUT, False), faults
    assert str(missing) in faults


CULLING = Settings("http://127.0.0.1:1", (), Action.OBSERVE, 25, Queries("a", "b", "c", "d"))
REPAIR = RepairSettings(RepairAction.OBSERVE, Remedy.REBOOT, "a", (), {}, {})


@pytest.mark.parametrize(
    ("name", "told", "said"),
    [("cull", CULLING, "nothing ends"), ("repair", REPAIR, "nothing further is repaired")],
)
def test_the_image_holds_all_that_rounds_need(
    tmp_path: Path, name: str, told: Part, said: str
) -> None:
    settings, token, authority = (tmp_path / name for name in ("settings.json", "token", "ca.crt"))
    settings.write_text(write(told), encoding="utf-8")
    token.write_text("secret", encoding="ascii")
    _write_certificate(authority, tmp_path / "key")
    options = (f"--settings={settings}", f"--token={token}", f"--authority={authority}")
    command = _start(name, *options, "--api-server=https://127.0.0.1:1")
    _, faults = command.communicate(timeout=30)
    assert (command.returncode, faults.partition(":")[0]) == (ExitCode.ENVIRONMENT, said)


def test_a_command_of_the_repository_alone_says_so() -> None:
    _, faults = (command := _start("schema")).communicate(timeout=30)
    said = (
        "gpuplane schema: needs what the webhook's image leaves out; "
        "to install it: pip install ./SOURCE, "
        "where SOURCE is the wheel or checkout that gpuplane was installed from\n"
    )
    assert (command.returncode, faults) == (ExitCode.ENVIRONMENT, said)


def test_the_builder_is_sent_what_is_copied_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if not line.startswith("#")]
    assert patterns[0] == "*"
    assert {line.removeprefix("!") for line in patterns if line.startswith("!")} == {*_copied()}
    assert [source for source in _copied() if not (ROOT / source).exists()] == []


def test_packages_are_installed_by_their_hashes_from_wheels() -> None:
    assert "PIP_REQUIRE_HASHES=1 PIP_ONLY_BINARY=:all:" in DOCKERFILE
    # The wheel of the sources alone has no hash.
    without = re.findall(r"PIP_REQUIRE_HASHES=0 .*?(?= \\\n && |\n\n)", DOCKERFILE, flags=re.DOTALL)
    assert ["--no-deps" in command for command in without] == [True, True]


def test_it_runs_as_the_user_and_on_the_port_of_the_deployment() -> None:
    assert re.findall(r"^USER (.*)$", DOCKERFILE, flags=re.MULTILINE) == [f"{USER}:{USER}"]
    assert re.findall(r"^EXPOSE (.*)$", DOCKERFILE, flags=re.MULTILINE) == [str(PORT)]


def test_both_bases_are_pinned_to_the_same_release() -> None:
    (compiler, base) = re.findall(r"^ARG \w+=\S+:(\S+)$", DOCKERFILE, flags=re.MULTILINE)
    assert re.fullmatch(r"3\.[0-9]+\.[0-9]+-slim-[a-z]+", base)
    assert compiler == base.replace("-slim", "")
