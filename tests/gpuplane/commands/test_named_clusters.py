from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run


@pytest.mark.parametrize(
    "named", [(), ("lab",), ("clusters/lab.yaml",), ("lab", "clusters/lab.yaml")]
)
@pytest.mark.usefixtures("lab")
def test_a_cluster_is_its_name_or_its_file_or_the_only_one(
    in_repository: Run, named: tuple[str, ...]
) -> None:
    assert in_repository.report("queues", *named) == in_repository.report("queues", "lab")


def test_a_file_is_named_from_where_the_command_runs(
    in_repository: Run, lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lab / "clusters")
    assert in_repository.report("queues", "lab.yaml") == in_repository.report("queues")


@pytest.mark.parametrize("named", [(), ("-c", "lab"), ("--cluster", "clusters/lab.yaml")])
def test_commands_with_other_arguments_take_it_by_an_option(
    in_repository: Run, lab: Path, named: tuple[str, ...]
) -> None:
    pod = lab / "pod.yaml"
    pod.write_text("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: []}}")
    assert in_repository.report("admit", pod, *named)["cluster"] == "lab"
