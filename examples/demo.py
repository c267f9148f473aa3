"""Shows what the webhook does to the manifests of this folder; run by `make demo`.

It serves on loopback with a throw-away certificate and the settings of the example cluster
`training`, asks `/mutate` and `/validate` over HTTPS as an API server would, and stops by itself.
"""

import json
import signal
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

import trustme
from rich.console import Console
from rich.text import Text

from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.admission.loaded_rules import cluster_engine
from gpuplane.admission.manifest_file import read_manifest_file
from policies.document import Document
from policies.manifest_pod import ManifestPod, manifest_pods
from policies.operation import apply, copied
from policies.settings_json import write_settings
from webhook.admission_round import creation_of, patch_of

ROOT = Path(__file__).parents[1]
CLUSTER = "training"
EXAMPLES = (
    "nvidia-smi",
    "training-job",
    "multi-gpu-job",
    "pytorchjob",
    "spot-deployment",
    "inference-deployment",
)
LOOPBACK = "127.0.0.1"
_STYLES = {"+": "green", "-": "red", " ": ""}
SECONDS = 10
"""How long an answer may take."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook that is being served."""

    port: int
    certificate_authority: Path

    def ask(self, path: str, review: Document) -> bytes:
        request = urllib.request.Request(
            f"https://{LOOPBACK}:{self.port}{path}",
            json.dumps(review).encode(),
            {"Content-Type": "application/json"},
        )
        trusted = ssl.create_default_context(cafile=str(self.certificate_authority))
        with urllib.request.urlopen(request, timeout=SECONDS, context=trusted) as answer:  # noqa: S310 # the scheme is https
            body: bytes = answer.read()
        return body


def main() -> None:
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory() as directory, _served(Path(directory)) as webhook:
        for name in EXAMPLES:
            file = ROOT / "examples" / f"{name}.yaml"
            console.rule(f"examples/{file.name}")
            console.print(_opening_comment(file), style="italic")
            for pod in _pods(file):
                _show(console, webhook, pod)


def _opening_comment(file: Path) -> str:
    lines = file.read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("# ") for line in lines if line.startswith("# "))


def _pods(file: Path) -> Iterator[ManifestPod]:
    for one in read_manifest_file(file.read_bytes(), str(file)):
        yield from manifest_pods(one.document)


def _show(console: Console, webhook: Webhook, pod: ManifestPod) -> None:
    mutated = webhook.ask("/mutate", creation_of(pod.document, pod.namespace))
    fixed = copied(pod.document)
    apply(fixed, patch_of(mutated))
    validated = webhook.ask("/validate", creation_of(fixed, pod.namespace))
    subject = pod.name if pod.kind == "Pod" else f"of {pod.kind} {pod.name}"
    console.print(f"\nPod {subject} in {pod.namespace}", style="bold")
    for line in (*_difference(pod.document, fixed), *_reasons(mutated, validated)):
        console.print(line, soft_wrap=True)


def _difference(before: Document, after: Document) -> Iterator[Text]:
    """Yield the lines of the whole pod, with what was added or removed marked."""
    old, new = (to_yaml(pod).splitlines() for pod in (before, after))
    heads = 3
    changed = list(unified_diff(old, new, n=len(old), lineterm=""))[heads:]
    for line in changed or (f" {line}" for line in old):
        yield Text(f"  {line}", _STYLES[line[0]])


def _reasons(mutated: bytes, validated: bytes) -> Iterator[Text]:
    mutation, validation = (json.loads(answer)["response"] for answer in (mutated, validated))
    for rule, said in mutation.get("auditAnnotations", {}).items():
        yield Text.assemble((f"{rule}: ", "cyan"), said)
    for warning in validation.get("warnings", ()):
        yield Text.assemble(("warning: ", "yellow"), warning)
    if validation["allowed"]:
        yield Text("admitted", "bold green")
    else:
        yield Text.assemble(("denied: ", "bold red"), validation["status"]["message"])


@contextmanager
def _served(directory: Path) -> Iterator[Webhook]:
    """Serve the webhook on a free port; yield once it listens, stop it at the end."""
    settings = cluster_engine(ROOT / "clusters", CLUSTER).settings
    (directory / "settings.json").write_text(write_settings(settings), encoding="utf-8")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(directory / "ca.crt"))
    certificate = authority.issue_cert(LOOPBACK)
    certificate.cert_chain_pems[0].write_to_path(str(directory / "tls.crt"))
    certificate.private_key_pem.write_to_path(str(directory / "tls.key"))
    process = subprocess.Popen(_command(directory), stdout=subprocess.PIPE)  # noqa: S603 # our own
    try:
        yield Webhook(_port(process), directory / "ca.crt")
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)


def _command(directory: Path) -> list[str]:
    files = {"settings": "settings.json", "certificate": "tls.crt", "key": "tls.key"}
    options = {f"--{option}": str(directory / file) for option, file in files.items()}
    options |= {"--host": LOOPBACK, "--port": "0", "--drain-seconds": "0"}
    words = [word for option in options.items() for word in option]
    return [sys.executable, "-m", "gpuplane", "serve", *words]


def _port(process: "subprocess.Popen[bytes]") -> int:
    """Return the first port that the log names."""
    assert process.stdout is not None  # noqa: S101 # it is a pipe
    line = process.stdout.readline()
    if not line:
        sys.exit("the webhook did not start")
    event: dict[str, Any] = json.loads(line)
    return int(event["port"])


if __name__ == "__main__":
    main()
