from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

MODELS = "a model that `gpuplane hardware` lists"
EKS_TYPES = "one that `gpuplane hardware eks` lists"
GKE_TYPES = "one that `gpuplane hardware gke` lists"
AKS_TYPES = "one that `gpuplane hardware aks` lists"


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "p5.48xlarge",
            "p5.48xlarg",
            (
                "sample.yaml:13: pools.h100.instanceType: unknown instance type of eks "
                f'"p5.48xlarg"; allowed: {EKS_TYPES}; nearest: p5.48xlarge, p5e.48xlarge, '
                "p5.4xlarge"
            ),
        ),
        (
            "gke",
            "a2-ultragpu-8g",
            "a2-ultra-8g",
            (
                "sample.yaml:13: pools.a100.instanceType: unknown instance type of gke "
                f'"a2-ultra-8g"; allowed: {GKE_TYPES}; nearest: a2-ultragpu-8g, a3-ultragpu-8g, '
                "a2-ultragpu-4g"
            ),
        ),
        (
            "aks",
            "Standard_NC64as_T4_v3",
            "standard_nc64as_t4_v3",
            (
                "sample.yaml:20: pools.t4.instanceType: unknown instance type of aks "
                f'"standard_nc64as_t4_v3"; allowed: {AKS_TYPES}; nearest: Standard_NC64as_T4_v3, '
                "Standard_NC4as_T4_v3, Standard_NC16as_T4_v3"
            ),
        ),
        (
            "eks",
            "p5.48xlarge",
            "a2-ultragpu-8g",
            (
                'sample.yaml:13: pools.h100.instanceType: "a2-ultragpu-8g" is an instance type '
                "of gke; the provider is eks; allowed: an instance type of eks; nearest: "
                "p4de.24xlarge"
            ),
        ),
        (
            "onprem",
            "    gpu: H200-SXM\n    gpus: 8\n    cpu: 192\n    memory: 2Ti\n",
            "    instanceType: p5.48xlarge\n",
            (
                "sample.yaml:12: pools.h200.instanceType: onprem has no instance types; "
                "allowed: gpu, gpus, cpu and memory of one node"
            ),
        ),
    ],
)
def test_an_instance_type_must_be_one_of_the_provider(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "    instanceType: p5.48xlarge\n",
            "",
            ("sample.yaml:12: pools.h100.instanceType: missing; allowed: an instance type of eks"),
        ),
        (
            "eks",
            "    instanceType: p5.48xlarge\n",
            "    gpu: H100-SXM\n    gpus: 8\n    cpu: 192\n    memory: 2Ti\n",
            (
                "sample.yaml:12: pools.h100.instanceType: missing; allowed: an instance type of "
                "eks; nearest: p5.48xlarge"
            ),
        ),
    ],
)
def test_a_cloud_pool_needs_an_instance_type_and_the_gpus_stated_find_it(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "    instanceType: p5.48xlarge\n",
            "    instanceType: p5.48xlarge\n    gpu: H100-SXM\n    memory: 2Ti\n",
            (
                "sample.yaml:14: pools.h100.gpu: it follows from the instance type p5.48xlarge; "
                "allowed: nothing\n"
                "sample.yaml:15: pools.h100.memory: it follows from the instance type p5.48xlarge; "
                "allowed: nothing"
            ),
        ),
    ],
)
def test_hardware_is_stated_once(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "H200-SXM",
            "H200SXM",
            (
                'sample.yaml:12: pools.h200.gpu: unknown GPU model "H200SXM"; allowed: '
                f"{MODELS}; nearest: H200-SXM, H100-SXM"
            ),
        ),
        (
            "eks",
            "    instanceType: p5.48xlarge\n",
            (
                "    instanceType: p7.48xlarge\n"
                "    gpu: H100\n"
                "    gpus: 8\n"
                "    cpu: 192\n"
                "    memory: 2Ti\n"
            ),
            (
                f'sample.yaml:14: pools.h100.gpu: unknown GPU model "H100"; allowed: {MODELS}; '
                "nearest: H100-SXM, H100-NVL, H100-PCIe"
            ),
        ),
    ],
)
def test_a_gpu_model_must_be_known(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "    gpu: H200-SXM\n    gpus: 8\n    cpu: 192\n    memory: 2Ti\n",
            "    gpu: H200-SXM\n",
            (
                "sample.yaml:11: pools.h200.cpu: missing; allowed: cpu of one node\n"
                "sample.yaml:11: pools.h200.gpus: missing; allowed: gpus of one node\n"
                "sample.yaml:11: pools.h200.memory: missing; allowed: memory of one node"
            ),
        ),
        (
            "onprem",
            "    gpu: H200-SXM\n",
            "",
            "sample.yaml:11: pools.h200.gpu: missing; allowed: gpu of one node",
        ),
    ],
)
def test_hardware_on_prem_is_stated_in_full(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
