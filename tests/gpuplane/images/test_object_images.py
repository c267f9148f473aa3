"""The images that an object names."""

import pytest
import yaml

from gpuplane.images.object_images import images_of

DIGEST = f"sha256:{'0' * 64}"

POD = """
kind: Pod
spec:
  initContainers: [{name: init, image: a.example.com/init:1}]
  containers:
    - name: main
      image: main
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
            "nvcr.io/nvidia/gpu-operator:v26.7.0",
            "a.example.com/model:1",
        ],
    ),
    (KAI_CONFIG, ["ghcr.io/kai/binder:v1"]),
    (CLUSTER_POLICY, ["nvcr.io/nvidia/k8s/toolkit:v1", f"nvcr.io/nvidia/validator@{DIGEST}"]),
    (
        NIC_CLUSTER_POLICY,
        [
            "nvcr.io/nvidia/mellanox/doca-driver:doca3.1.0",
            "nvcr.io/nvidia/mellanox/multus-cni:v4",
        ],
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
