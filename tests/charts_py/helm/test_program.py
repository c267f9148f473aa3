import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.helm.program import Helm, HelmError, api_versions, find_helm
from tests.binaries.pinned_program import HELM
from upstream.fetch import files_of_charts
from upstream.kubernetes_version import KubernetesVersion
from upstream.lock import UpstreamError

WANTED = "gitops.charts: rendered needs Helm 4 on PATH: https://helm.sh/docs/intro/install/"


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which programs are found, besides the system's."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def _write(folder: Path, script: str) -> Path:
    program = folder / "helm"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def test_helm_4_on_path_is_taken(on_path: Path) -> None:
    program = _write(on_path, "echo v4.3.1")
    assert find_helm() == Helm(program)


@pytest.mark.usefixtures("on_path")
def test_a_missing_helm_is_told() -> None:
    with pytest.raises(UpstreamError) as refused:
        find_helm()
    assert str(refused.value) == f"helm is not on PATH; {WANTED}"


@pytest.mark.parametrize(
    ("script", "version"), [("echo v3.19.0", "v3.19.0"), ("exit 1", "of no version")]
)
def test_another_major_version_is_refused(on_path: Path, script: str, version: str) -> None:
    program = _write(on_path, script)
    with pytest.raises(UpstreamError) as refused:
        find_helm()
    assert str(refused.value) == f"{program} is Helm {version}; {WANTED}"


def test_it_sees_nothing_of_the_users(on_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _write(on_path, 'echo "$*|$KUBECONFIG|$HELM_NAMESPACE|$HOME"')
    for name in ("KUBECONFIG", "HELM_NAMESPACE", "HOME"):
        monkeypatch.setenv(name, "/the/users")
    arguments, kubeconfig, namespace, home = Helm(program).template(["a", "b"]).strip().split("|")
    assert (arguments, kubeconfig, namespace) == ("template a b", "", "")
    assert "/gpuplane-run-" in home


def test_what_it_says_against_a_release_is_the_error(tmp_path: Path) -> None:
    helm = Helm(HELM.build())
    (tmp_path / "Chart.yaml").write_text("{apiVersion: v2, name: a, version: 0.0.0}\n", "utf-8")
    with pytest.raises(HelmError) as refused:
        helm.template(["Wrong_Name", tmp_path])
    assert str(refused.value).startswith(
        'release name check failed: release name "Wrong_Name": invalid release name, must match'
    )


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 3", "helm ends with exit code 3 and no reason"),
        (r"printf 'a: \351\n'", "helm prints the byte 0xE9, which is not UTF-8"),
        (r"printf 'Error: \351\n' >&2; exit 1", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_reason_is_told_whatever_it_prints(on_path: Path, script: str, reason: str) -> None:
    with pytest.raises(HelmError) as refused:
        Helm(_write(on_path, script)).template([])
    assert str(refused.value) == reason


def test_what_it_prints_is_bounded(on_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("charts_py.helm.program._MAX_BYTES", 2**20)
    monkeypatch.setattr("charts_py.helm.program._LIMITS", {resource.RLIMIT_FSIZE: 2**20 + 1})
    with pytest.raises(HelmError, match=r"^helm prints more than 1 MiB$"):
        Helm(_write(on_path, "while :; do echo aaaaaaaa || exit 1; done")).template([])


def test_its_memory_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("{apiVersion: v2, name: a, version: 0.0.0}\n", "utf-8")
    (tmp_path / "templates").mkdir()
    template = 'a: {{ len (repeat 1000000000 "aaaaaaaaa") }}\n'
    (tmp_path / "templates" / "a.yaml").write_text(template, encoding="utf-8")
    reason = (
        r"^runtime: out of memory: cannot allocate \d+-byte block .*\nfatal error: out of memory$"
    )
    with pytest.raises(HelmError, match=reason):
        Helm(HELM.build()).template(["a", tmp_path])


_STOPPED = """
import sys
from pathlib import Path
from charts_py.helm.program import run_alone
script = "echo $$ > started; mv started $1; exec sleep 60"
run_alone(Path("/bin/sh"), ["-c", script, "", sys.argv[1]])
"""


def test_sigterm_ends_what_it_has_started_and_leaves_no_folder(tmp_path: Path) -> None:
    started = tmp_path / "started"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", _STOPPED, started], env=environment) as process:
        while not started.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 143
    child = int(started.read_text(encoding="utf-8"))
    # By itself it ends after a minute.
    for _ in range(3000):
        if not _is_there(child):
            break
        time.sleep(0.01)
    assert not _is_there(child)
    assert [*tmp_path.glob("gpuplane-run-*")] == []


def _is_there(process: int) -> bool:
    """Tell whether a process runs; nobody may ask how it ended, so that a zombie of it is left."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2]
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # as on macOS, or since it has gone
        return not Path("/proc/self").exists()
    return not state.startswith("Z")


def test_that_it_was_stopped_is_the_machines_fault(on_path: Path) -> None:
    program = _write(on_path, "kill -KILL $$")
    with pytest.raises(UpstreamError) as refused:
        Helm(program).template([])
    assert str(refused.value) == (
        f"{program} was stopped by signal 9 (Killed), as by the system where memory runs out"
    )


ASKED = re.compile(r'\.APIVersions\.Has\s+"([^"]+)"')
OPENSHIFT = {"route.openshift.io", "security.openshift.io"}
"""What no platform here has."""
OF_MONITORING = {"monitoring.coreos.com"}
"""Of JobSet's ServiceMonitor, which its chart has only with `prometheus.enable`."""
OF_GATEWAYS = {"gateway.networking.k8s.io"}
"""What topograph's chart says in a comment that it does not ask for."""


@pytest.mark.parametrize("kubernetes", list(KubernetesVersion))
def test_it_is_told_what_the_kubernetes_version_serves(kubernetes: KubernetesVersion) -> None:
    told = api_versions(kubernetes.value)
    assert {"v1", "v1/Pod", "apps/v1/Deployment"} <= set(told)
    is_there = "resource.k8s.io/v1/ResourceClaim" in told
    assert is_there is has(kubernetes, Feature.RESOURCE_CLAIMS)


def test_it_is_told_of_nothing_that_may_be_switched_off() -> None:
    assert [each for each in api_versions("1.37") if "alpha" in each or "beta" in each] == []


def test_no_pinned_chart_asks_for_kinds_that_kubernetes_has_not(mirror: Path) -> None:
    templates = [mirror / each.file for each in files_of_charts() if "/templates/" in each.file]
    asked = {
        name
        for template in templates
        # A mirror may lack a chart.
        if template.is_file()
        for name in ASKED.findall(template.read_text("utf-8"))
    }
    groups = {name.partition("/")[0] for name in asked} - OPENSHIFT - OF_MONITORING - OF_GATEWAYS
    assert groups == {
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "networking.k8s.io",
        "policy",
        "resource.k8s.io",
    }
