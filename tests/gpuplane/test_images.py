"""The images that objects and charts run, and the commands that copy them."""

from typing import Any, get_args

import pytest
import yaml

from charts_py.objects.document import Document
from gpuplane.commands.images import Tool
from gpuplane.images import (
    COPY_TOOLS,
    InstalledChart,
    NamedImage,
    UnknownChart,
    copy_command,
    images_of,
    installed_charts,
    named_by,
)
from upstream.lock import locked_chart

SERVER = "metrics-server"
VERSION = locked_chart(SERVER).chart_version
REPOSITORY = "https://charts.example.com"


def _application(**source: Any) -> dict[str, Any]:
    stated = {"repoURL": REPOSITORY, "targetRevision": VERSION, **source}
    return {
        "kind": "Application",
        "metadata": {"name": "sample-metrics-server"},
        "spec": {"source": stated},
    }


def _chart(name: str = SERVER, version: str = VERSION, **values: Any) -> InstalledChart:
    return InstalledChart("sample-metrics-server", name, version, REPOSITORY, values)


@pytest.mark.parametrize(
    ("document", "charts"),
    [
        (_application(chart=SERVER), [_chart()]),
        (_application(chart=SERVER, helm={"valuesObject": {"a": 1}}), [_chart(a=1)]),
        (_application(path="charts/metrics-server", helm={}), [_chart()]),
        (_application(path="dist/sample/1.0.0/webhook"), []),
        ({"kind": "ConfigMap", "metadata": {"name": "a"}}, []),
    ],
)
def test_an_application_installs_a_chart_or_a_folder(
    document: dict[str, Any], charts: list[InstalledChart]
) -> None:
    assert list(installed_charts(document)) == charts


def test_each_of_several_sources_may_be_a_chart() -> None:
    document = _application(chart=SERVER)
    source = document["spec"].pop("source")
    document["spec"]["sources"] = [source, {"repoURL": REPOSITORY, "path": "values"}]
    assert list(installed_charts(document)) == [_chart()]


@pytest.mark.parametrize(
    ("values", "image"),
    [
        ({}, "registry.k8s.io/metrics-server/metrics-server:v0.8.1"),
        ({"image": {"repository": "a.example.com/b"}}, "a.example.com/b:v0.8.1"),
        ({"image": {"tag": "v9"}}, "registry.k8s.io/metrics-server/metrics-server:v9"),
    ],
)
def test_values_decide_which_image_runs(values: dict[str, Any], image: str) -> None:
    assert list(_chart(**values).images()) == [NamedImage(image)]


@pytest.mark.parametrize(("name", "version"), [(SERVER, "3.0.0"), ("redis", "1.0.0")])
def test_nothing_is_said_of_a_chart_that_is_not_pinned(name: str, version: str) -> None:
    (unknown,) = _chart(name, version).images()
    assert unknown == UnknownChart("sample-metrics-server", name, version, REPOSITORY)
    assert str(unknown).startswith(
        f"sample-metrics-server: the images of the chart {name} {version} of {REPOSITORY} are not "
        "known; known are those of agentgateway v1.4.1, agentgateway-crds v1.4.1, "
    )


DIGEST = f"sha256:{'0' * 64}"
POD = """
kind: Pod
spec:
  initContainers: [{name: init, image: a.example.com/init:1}]
  containers:
    - name: main
      image: main
      args: [--solver-image=a.example.com/solver:1, --image-count=3, --image=https://b.example.com]
      env:
        - {name: VALIDATOR_IMAGE, value: "nvcr.io/nvidia/gpu-operator:v26.7.0"}
        - {name: IMAGE_COUNT, value: "3"}
        - {name: OTHER_IMAGE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
  volumes: [{name: model, image: {reference: a.example.com/model:1}}]
"""
CLUSTER_POLICY = f"""
kind: ClusterPolicy
spec:
  driver:
    enabled: false
    repository: nvcr.io/nvidia
    image: driver
    version: "1"
  toolkit: {{enabled: true, repository: nvcr.io/nvidia/k8s, image: toolkit, version: v1}}
  validator: {{repository: nvcr.io/nvidia, image: validator, version: "{DIGEST}"}}
"""
NIC_CLUSTER_POLICY = """
kind: NicClusterPolicy
spec:
  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: doca3.1.0}
  secondaryNetwork:
    multus: {image: multus-cni, repository: nvcr.io/nvidia/mellanox, version: v4}
"""
KAI_CONFIG = """
kind: Config
spec:
  binder:
    service: {enabled: true, image: {name: binder, repository: ghcr.io/kai, tag: v1}}
  nodeScaleAdjuster:
    service: {enabled: false, image: {name: adjuster, repository: ghcr.io/kai, tag: v1}}
"""
DEVICE_CONFIG = """
kind: DeviceConfig
spec:
  devicePlugin: {devicePluginImage: "docker.io/rocm/k8s-device-plugin:1"}
  testRunner: {enable: false, image: "docker.io/rocm/test-runner:1"}
"""
DEFINITION = """
kind: CustomResourceDefinition
spec: {versions: [{schema: {image: "nvcr.io/nvidia/example:1"}}]}
"""
STRINGS = """
kind: ConfigMap
data: {image: "not an image", logoImage: "https://example.com/logo.png"}
"""
ROWS = [
    (
        POD,
        [
            "a.example.com/init:1",
            "main",
            "a.example.com/solver:1",
            "nvcr.io/nvidia/gpu-operator:v26.7.0",
            "a.example.com/model:1",
        ],
    ),
    (KAI_CONFIG, ["ghcr.io/kai/binder:v1"]),
    (CLUSTER_POLICY, ["nvcr.io/nvidia/k8s/toolkit:v1", f"nvcr.io/nvidia/validator@{DIGEST}"]),
    (
        NIC_CLUSTER_POLICY,
        ["nvcr.io/nvidia/mellanox/doca-driver:doca3.1.0", "nvcr.io/nvidia/mellanox/multus-cni:v4"],
    ),
    (DEVICE_CONFIG, ["docker.io/rocm/k8s-device-plugin:1", "docker.io/library/busybox:1.36"]),
    (DEFINITION, []),
    (STRINGS, []),
]


@pytest.mark.parametrize(
    ("text", "images"), ROWS, ids=[yaml.safe_load(text)["kind"] for text, _ in ROWS]
)
def test_an_object_names_what_it_and_its_operator_run(text: str, images: list[str]) -> None:
    assert list(images_of(yaml.safe_load(text))) == images


DRIVER = {"repository": "nvcr.io/nvidia", "image": "driver", "version": "595.91.07"}
MANAGER = {"repository": "m.example.com", "image": "manager", "version": "v1"}


def _policy(**spec: Any) -> Document:
    identity = {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "metadata": {"name": "a"}}
    return {**identity, "spec": spec}


IDLE = _policy(ccManager={"enabled": True, **MANAGER}, sandboxWorkloads={"enabled": False})


@pytest.mark.parametrize(
    ("policy", "images"),
    [
        (
            _policy(driver={"enabled": True, **DRIVER}),
            [NamedImage("nvcr.io/nvidia/driver:595.91.07", has_os_tag=True)],
        ),
        (_policy(driver={"enabled": False, **DRIVER}), []),
        (
            _policy(ccManager={"enabled": True, **MANAGER}, sandboxWorkloads={"enabled": True}),
            [NamedImage("m.example.com/manager:v1")],
        ),
        (IDLE, []),
        (_policy(unknown=MANAGER), [NamedImage("m.example.com/manager:v1")]),
    ],
)
def test_it_names_those_that_run(policy: Document, images: list[NamedImage]) -> None:
    assert list(named_by(policy)) == images


def test_kyvernos_policies_are_not_taken_for_it() -> None:
    of_kyverno = {**IDLE, "apiVersion": "kyverno.io/v1"}
    assert list(named_by(of_kyverno)) == [NamedImage("m.example.com/manager:v1")]


TAG = "nvcr.io/nvidia/driver:595.91.07-ubuntu24.04"
COPY = "registry.example.com/nvcr/nvidia/driver:595.91.07-ubuntu24.04"


@pytest.mark.parametrize(
    ("tool", "command"),
    [
        ("skopeo", f"skopeo copy --all --preserve-digests docker://{TAG} docker://{COPY}"),
        ("oras", f"oras cp {TAG} {COPY}"),
        ("crane", f"crane copy {TAG} {COPY}"),
    ],
)
def test_each_tool_copies_an_image_with_all_its_platforms(tool: str, command: str) -> None:
    assert copy_command(tool, TAG, COPY) == command


def test_what_has_a_digest_is_read_by_it_and_written_by_its_tag() -> None:
    assert copy_command("crane", f"quay.io/a/b:1@{DIGEST}", f"r.example.com/a/b:1@{DIGEST}") == (
        f"crane copy quay.io/a/b@{DIGEST} r.example.com/a/b:1"
    )


def test_what_has_a_digest_alone_is_written_by_it() -> None:
    assert copy_command("oras", f"quay.io/a/b@{DIGEST}", f"r.example.com/a/b@{DIGEST}") == (
        f"oras cp quay.io/a/b@{DIGEST} r.example.com/a/b@{DIGEST}"
    )


def test_the_command_line_offers_every_tool() -> None:
    assert list(get_args(Tool)) == list(COPY_TOOLS)
