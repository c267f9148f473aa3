"""The versions of a new repository: proposed, released, promoted, rolled back and removed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpus.provider import Provider
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.first_day.first_day import NewRepository

FLEET = Path("clusters") / "fleet.yaml"
LIVE_APPLICATION = "dist/example/live-application.yaml"
IMAGE = "registry.example.com/gpuplane-webhook:0.1.0"
TEAM = """\
teams:
  vision:
    owner: vision@example.com
    costCenter: "2000"
    members: {{users: [{group}]}}
    priorities: [batch]
    namespaces:
      vision-batch:
        purpose: batch
        quota: {{gpus: {{batch: 8}}, cpu: 90, memory: 350Gi, storage: 1Ti}}
"""
ADDED = [
    "LimitRange vision-batch/limits",
    "Namespace vision-batch",
    "NetworkPolicy vision-batch/default-deny",
    "ResourceQuota vision-batch/quota",
    "RoleBinding vision-batch/gpu-user",
]
"""Of what the team brings, what it has with every provider."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What is added to the example of a provider."""

    pool: str
    group: str


ADDITIONS = {
    Provider.EKS: Addition(
        "{instanceType: g5.12xlarge, purpose: batch, nodes: {max: 2}}", "ml-vision"
    ),
    Provider.GKE: Addition(
        "{instanceType: g2-standard-48, purpose: batch, nodes: {max: 2}, zones: [europe-west4-a]}",
        "ml-vision@example.com",
    ),
    Provider.AKS: Addition(
        "{instanceType: Standard_NC64as_T4_v3, purpose: batch, nodes: {max: 2}}",
        "00000000-0000-0000-0000-000000000003",
    ),
    Provider.ONPREM: Addition(
        "{gpu: L40S, gpus: 4, cpu: 64, memory: 512Gi, purpose: batch, nodes: {min: 2, max: 2},"
        ' match: {hostnames: ["^batch-[0-9]+$"]}}',
        "ml-vision",
    ),
}


def _objects(repository: NewRepository, version: str) -> int:
    folder = repository.folder / "dist" / "example" / version
    return sum(1 for each in folder.rglob("*.yaml") if each.is_file())


def _add(repository: NewRepository, addition: Addition) -> None:
    team = TEAM.format(group=addition.group)
    repository.replace("^teams:\n", f"  batch: {addition.pool}\n\n{team}")


def _release_first(repository: NewRepository) -> None:
    """Do the first steps of README.md, and release what they render."""
    repository.replace("^# webhook: .*", f"webhook: {{image: {IMAGE}}}", FLEET)
    repository.set_versions("0.1.0", "0.1.0")
    repository.run("make", "synth")
    repository.start_history()


def _is_refused(repository: NewRepository, *command: str) -> list[str]:
    """Return the lines that a command is refused with, without those of make."""
    with pytest.raises(AssertionError) as refused:
        repository.run(*command)
    told = str(refused.value).partition(": ")[2].splitlines()
    return [line for line in told if not line.startswith("make: ")]


def _change_what_is_released(repository: NewRepository, addition: Addition) -> None:
    _add(repository, addition)
    first, *_, last = _is_refused(repository, "make", "synth")
    assert first == (
        "clusters/example.yaml: version 0.1.0 is released (main) and cannot change, "
        "but other objects are rendered now:"
    )
    assert last == (
        "  gpuplane release example cuts the version that this asks for, "
        "or set version: 0.1.1-rc.1 to look at it first; live: 0.1.0 keeps what runs"
    )
    assert repository.changed() == [" M clusters/example.yaml"]


def _propose(repository: NewRepository) -> int:
    """Render what was added as another version; return how many objects that has."""
    repository.set_versions("0.2.0", "0.1.0")
    told = repository.run("make", "synth")
    objects = _objects(repository, "0.2.0")
    assert told.startswith(f"example 0.2.0 (live 0.1.0): {objects} objects, files: ")
    shown, *lines = repository.run("make", "diff").splitlines()
    assert shown.startswith("example: 0.1.0 -> 0.2.0: ")
    assert [each for each in ADDED if f"+ team-vision: {each}" not in lines] == []
    assert repository.run("make", "validate").splitlines()[-1].endswith(" of Argo CD, all valid")
    repository.commit("Propose a pool and a team")
    return objects


def _promote_and_roll_back(repository: NewRepository) -> None:
    for live in ("0.2.0", "0.1.0"):
        repository.set_versions("0.2.0", live)
        repository.run("make", "synth")
        assert repository.changed() == [" M clusters/example.yaml", f" M {LIVE_APPLICATION}"]
        repository.commit(f"Have {live} live")


def _remove_what_is_live(repository: NewRepository) -> None:
    assert _is_refused(repository, ".venv/bin/gpuplane", "remove", "example", "--yes") == [
        "example: 0.1.0 is live (main), so nothing is removed. First:",
        "  1. set live: none in clusters/example.yaml, gpuplane synth, and merge",
        (
            "  2. once Argo CD has synced that, and example-live is gone, delete the other "
            "Applications example-*, with what they installed or without"
        ),
        "  3. gpuplane remove example, and merge",
    ]


def _let_go(repository: NewRepository) -> None:
    repository.set_versions("0.2.0", "none")
    repository.run("make", "synth")
    assert repository.changed() == [" M clusters/example.yaml", f" D {LIVE_APPLICATION}"]
    repository.commit("Let go")


def _remove(repository: NewRepository) -> None:
    repository.gpuplane("remove", "example", "--yes")
    repository.commit("Remove")
    nothing = "clusters: no cluster file, so nothing is "
    assert [repository.run("make", each) for each in ("check", "validate")] == [
        f"{nothing}rendered\n",
        f"{nothing}validated\n",
    ]


@pytest.mark.parametrize("provider", list(Provider))
def test_a_new_repository_is_worked_in_as_the_docs_say(
    repositories: Mapping[Provider, NewRepository],
    provider: Provider,
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    repository = repositories[provider].copied_to(tmp_path / "platform")
    _release_first(repository)
    _change_what_is_released(repository, ADDITIONS[provider])
    objects = _propose(repository)
    _promote_and_roll_back(repository)
    _remove_what_is_live(repository)
    _let_go(repository)
    _remove(repository)
    evidence.show(
        "A new repository is worked in as the docs say, from the wheel alone: a version is "
        f"released, another proposed, validated, promoted, rolled back and removed ({provider}).",
        f"{objects} objects; a change of what is released, and a removal of what is live: refused",
    )
