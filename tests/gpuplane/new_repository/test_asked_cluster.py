from dataclasses import replace

import pytest

from gpuplane.new_repository.asked_cluster import AskedCluster, checked, missing, with_usual
from gpuplane.new_repository.source import InitError
from gpuplane.versions.tree import DistError
from gpus.provider import Provider
from tests.gpuplane.messages import message_of

LAB = with_usual(AskedCluster(name="lab", provider="onprem"))


def test_what_is_missing_is_named_with_what_is_allowed() -> None:
    lines = message_of(InitError, checked, AskedCluster(provider="aks", purpose="batch")).split(
        "\n"
    )
    assert [line.partition(",")[0] for line in lines] == [
        "NAME is missing; allowed: one such as training",
        "--region is missing; allowed: one such as westeurope",
        "--gpu is missing; allowed: H100-SXM",
        "--nodes is missing; allowed: a whole number such as 4",
    ]


def test_a_provider_is_asked_for_with_all_that_there_are() -> None:
    _, provider, *_ = missing(AskedCluster())
    assert str(provider) == "--provider is missing; allowed: eks, gke, aks, onprem"


def test_machines_of_ones_own_are_asked_for_what_no_table_lists() -> None:
    asked = replace(LAB, gpus=None, cpu=None, memory=None)
    assert [question.field for question in missing(asked)] == ["gpus", "cpu", "memory"]


@pytest.mark.parametrize("provider", list(Provider))
def test_an_example_lacks_nothing(provider: Provider) -> None:
    assert [*missing(with_usual(AskedCluster(provider=provider.value)))] == []


def test_a_model_is_named_in_any_case_and_without_its_end() -> None:
    assert checked(with_usual(AskedCluster(provider="eks", gpu="h100"))).gpu == "H100-SXM"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            replace(LAB, provider="onprm"),
            'unknown provider "onprm"; allowed: eks, gke, aks, onprem; nearest: onprem',
        ),
        (
            replace(LAB, purpose="train"),
            (
                'unknown purpose "train"; allowed: training, inference, batch, notebooks; '
                "nearest: training"
            ),
        ),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(asked: AskedCluster, said: str) -> None:
    assert message_of(DistError, checked, asked) == said


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            replace(LAB, name="../lab"),
            (
                'NAME: "../lab" is not a valid name for a cluster; '
                "allowed: one such as training; nearest: lab"
            ),
        ),
        (
            replace(LAB, memory="lots"),
            (
                '--memory: "lots" is not a quantity; allowed: up to 19 digits, such as 1.5Gi, and '
                "one of k, M, G, T, P, Ki, Mi, Gi, Ti, Pi"
            ),
        ),
        (
            with_usual(AskedCluster(provider="eks", cpu=8, memory="1Ti")),
            "--cpu, --memory: follow from the machine type on eks; leave them out",
        ),
        (
            with_usual(AskedCluster(provider="eks", cpu=8)),
            "--cpu: follows from the machine type on eks; leave it out",
        ),
    ],
)
def test_what_cannot_be_is_refused(asked: AskedCluster, said: str) -> None:
    assert message_of(InitError, checked, asked) == said
