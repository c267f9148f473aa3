from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

EKS = ("--provider", "eks", "--region", "us-east-1", "--gpu", "H100-SXM", "--nodes", "4")
ON_PREMISES = ("--provider", "onprem", "--region", "berlin", "--gpus", "4", "--cpu", "64")
pytestmark = pytest.mark.usefixtures("examples")


def test_a_cluster_is_written_that_can_be_rendered_at_once(
    in_repository: Run, tmp_path: Path
) -> None:
    written = f"{tmp_path}/clusters/lab.yaml\n"
    assert in_repository.printed("new", "cluster", "lab", *EKS, "--team", "research") == written
    result = in_repository("synth", "lab")
    assert (result.exit_code, result.stdout.partition(":")[0]) == (0, "lab 0.1.0-rc.1")


def test_what_the_platform_refuses_is_not_written(in_repository: Run, tmp_path: Path) -> None:
    said = in_repository.refused("new", "cluster", "lab", *EKS, "--region", "us-est-1")
    file = tmp_path / "clusters" / "lab.yaml"
    start = '--region: "us-est-1" is not a region of eks; allowed: '
    assert (said.startswith(start), file.exists()) == (True, False)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--provider", "eks", "--region", "us-east-1", "--team", "Team A"),
            (
                '--team: "Team A" is not a valid name for a team; allowed: one such as research; '
                "nearest: team-a\n"
            ),
        ),
        (
            (*ON_PREMISES, "--memory", "512"),
            "--memory: 512 has no unit; allowed: one such as 512Gi\n",
        ),
    ],
)
def test_a_wrong_option_is_named_once(
    in_repository: Run, options: tuple[str, ...], said: str
) -> None:
    of_pool = ("--gpu", "L40S", "--nodes", "4")
    assert in_repository.refused("new", "cluster", "lab", *of_pool, *options) == said


def test_without_a_terminal_all_that_is_missing_is_named(in_repository: Run) -> None:
    lines = in_repository.refused("new", "cluster", "lab", *EKS[:4]).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["--gpu", "--nodes"]


def test_at_a_terminal_it_asks_for_what_is_missing(
    in_repository: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuplane.commands.new_cluster.at_terminal", lambda: True)
    answers = "lab\nonprem\n\nL40S\n2\n4\n64\n512Gi\ninference\nvision, speech\n"
    assert in_repository("new", "cluster", answers=answers).exit_code == 0
    text = (tmp_path / "clusters" / "lab.yaml").read_text(encoding="utf-8")
    pool = "    gpu: L40S\n    gpus: 4\n    cpu: 64\n    memory: 512Gi\n"
    teams = "  vision:\n", "  speech:\n", "      speech-inference:\n"
    parts = (pool, "{min: 2, max: 2}", "region: datacenter-1", *teams)
    assert [part for part in parts if part not in text] == []


def test_at_a_terminal_a_wrong_answer_is_told_and_asked_again(
    in_repository: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuplane.commands.new_cluster.at_terminal", lambda: True)
    answers = "Lab lab ekz eks us-est-1 us-east-1 H1000 H100-SXM many 0 4 traning training X x"
    result = in_repository("new", "cluster", answers="\n".join((*answers.split(), "")))
    told = (
        'NAME [training]: NAME: "Lab" is not a valid name for a cluster; ',
        'provider [eks]: unknown provider "ekz"; ',
        'region [us-east-1]: --region: "us-est-1" is not a region of eks; ',
        'gpu [H100-SXM]: unknown GPU model of eks "H1000"; ',
        "nodes, at most [4]: many is not a number; allowed: a whole number such as 4\n",
        "nodes, at most [4]: --nodes: 0 is out of bounds; allowed: a whole number, at least 1\n",
        'purpose [training]: unknown purpose "traning"; ',
        'teams, separated by commas [research]: --team: "X" is not a valid name for a team; ',
    )
    assert (result.exit_code, [each for each in told if each not in result.stderr]) == (0, [])


@pytest.mark.parametrize("command", ["plan", "validate"])
def test_placeholders_that_are_left_are_named(command: str, in_repository: Run) -> None:
    in_repository("new", "cluster", "lab", *EKS)
    in_repository("synth", "lab")
    (line,) = in_repository(command, "lab").stderr.splitlines()
    place, _, said = line.partition("eks.nodeRole: ")
    assert (place.endswith("clusters/lab.yaml:10: "), said) == (
        True,
        "change-me is a placeholder; allowed: an IAM role, such as training-gpu-nodes",
    )
