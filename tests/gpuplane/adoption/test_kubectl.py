"""Reading a cluster by kubectl, whose place a script takes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from gpuplane.adoption.found_object import ClusterReadError
from gpuplane.adoption.kubectl import READ_KINDS, Kubectl

PAGE = Path(__file__).parents[3] / "docs" / "adopting.md"
NODES = '{"items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}]}'


@pytest.fixture
def kubectl(tmp_path: Path) -> Callable[[str], Kubectl]:
    """Return the function that makes a kubectl of the lines of a script, which logs its calls."""

    def make(script: str) -> Kubectl:
        program = tmp_path / "kubectl"
        program.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\n{script}\n')
        program.chmod(0o755)
        return Kubectl(Path("some.kubeconfig"), "training", str(program))

    return make


def test_every_kind_is_listed_and_nothing_else_is_asked(
    kubectl: Callable[[str], Kubectl], tmp_path: Path
) -> None:
    found = kubectl(f"case \"$*\" in *'get nodes'*) echo '{NODES}';; esac").read()
    assert [(str(one), one.source) for one in found.objects] == [
        ("Node a", "context training of some.kubeconfig")
    ]
    options = "--request-timeout=60s --kubeconfig=some.kubeconfig --context=training"
    config_maps = ("amazon-vpc-cni", "default-mig-parted-config", "gpuplane-webhook-settings")
    assert (tmp_path / "calls").read_text().splitlines() == [
        *(f"{options} get {kind} --all-namespaces -o json" for kind in READ_KINDS),
        *(
            f"{options} get configmaps --field-selector metadata.name={name} "
            "--all-namespaces -o json"
            for name in config_maps
        ),
    ]


def test_a_kind_that_a_cluster_lacks_is_passed_over(kubectl: Callable[[str], Kubectl]) -> None:
    lacking = "echo 'error: the server doesn'\"'\"'t have a resource type \"x\"' >&2; exit 1"
    found = kubectl(f"case \"$*\" in *'get nodes'*) echo '{NODES}';; *) {lacking};; esac").read()
    assert [str(one) for one in found.objects] == ["Node a"]


def test_all_that_may_not_be_listed_is_told_at_once(kubectl: Callable[[str], Kubectl]) -> None:
    denied = "echo 'Error from server (Forbidden): no' >&2; exit 1"
    with pytest.raises(ClusterReadError) as caught:
        kubectl(f"case \"$*\" in *quotas*|*'get nodes'*) {denied};; *) echo '{{}}';; esac").read()
    assert str(caught.value) == (
        "context training of some.kubeconfig: no right to read nodes, resourcequotas; "
        "docs/adopting.md has the ClusterRole that allows it"
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "echo 'Unable to connect to the server: timeout' >&2; exit 1",
            "Unable to connect to the server: timeout",
        ),
        ("exit 7", "exit code 7"),
    ],
    ids=["unreachable", "silent"],
)
def test_a_cluster_that_does_not_answer_is_asked_once(
    script: str, said: str, kubectl: Callable[[str], Kubectl], tmp_path: Path
) -> None:
    with pytest.raises(ClusterReadError) as caught:
        kubectl(script).read()
    assert str(caught.value) == (
        f"context training of some.kubeconfig: cannot read nodes: {said}; "
        "look at kubectl config get-contexts, and whether the cluster can be reached"
    )
    assert len((tmp_path / "calls").read_text().splitlines()) == 1


def test_a_missing_kubectl_says_what_else_there_is() -> None:
    with pytest.raises(ClusterReadError) as caught:
        Kubectl(program="/nowhere/kubectl").read()
    assert str(caught.value) == (
        "/nowhere/kubectl: not installed, or not on the PATH; install it, or read an export "
        "with --from"
    )


def test_objects_are_read_by_name(kubectl: Callable[[str], Kubectl]) -> None:
    named = kubectl('cat > /dev/null; echo \'{"apiVersion": "v1", "kind": "Node"}\'')
    found = named.read_named([{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}])
    assert [one.document for one in found] == [{"apiVersion": "v1", "kind": "Node"}]


def test_the_page_has_the_rights_that_it_takes() -> None:
    (block,) = re.findall(r"```yaml\n(apiVersion: rbac.*?)```", PAGE.read_text(), re.DOTALL)
    role = next(
        one for one in yaml.safe_load_all(block) if one["metadata"]["name"] == "gpuplane-import"
    )
    granted = {
        f"{resource}.{group}".rstrip(".")
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    assert granted == {*READ_KINDS, "configmaps"}
    assert {tuple(rule["verbs"]) for rule in role["rules"]} == {("list",)}
