from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.10gb: 8}",
            (
                "sample.yaml:24: pools.a100-mig.sharing.mig: A100-SXM-80 cannot hold this MIG "
                "layout: 1g.10gb x 8 is out of bounds; allowed: 1 to 7"
            ),
        ),
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.10gb: 4, 3g.40gb: 2}",
            (
                "sample.yaml:24: pools.a100-mig.sharing.mig: A100-SXM-80 cannot hold this MIG "
                "layout: 1g.10gb x 4 + 3g.40gb x 2 needs 10 of 7 compute slices"
            ),
        ),
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.20gb: 1, 4g.40gb: 1, 3g.40gb: 1}",
            (
                "sample.yaml:24: pools.a100-mig.sharing.mig: A100-SXM-80 cannot hold this MIG "
                "layout: 1g.20gb x 1 + 3g.40gb x 1 + 4g.40gb x 1 needs 8 of 7 compute slices"
            ),
        ),
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.20gb: 3, 3g.40gb: 1}",
            (
                "sample.yaml:24: pools.a100-mig.sharing.mig: A100-SXM-80 cannot hold this MIG "
                "layout: 1g.20gb x 3 + 3g.40gb x 1 needs 10 of 8 memory slices"
            ),
        ),
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.5gb: 7}",
            (
                "sample.yaml:24: pools.a100-mig.sharing.mig: A100-SXM-80 cannot hold this MIG "
                "layout: unknown MIG profile 1g.5gb; allowed: 1g.10gb, 1g.10gb+me, 1g.20gb, "
                "2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb; nearest: 1g.20gb, 1g.10gb, 1g.10gb+me"
            ),
        ),
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.10gb: 0}",
            (
                'sample.yaml:24: pools.a100-mig.sharing.mig."1g.10gb": 0 is out of bounds; '
                "allowed: a whole number, at least 1"
            ),
        ),
    ],
)
def test_a_mig_layout_must_fit_the_compute_and_memory_slices(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{timeSlicing: 4}",
            "{mig: {1g.10gb: 7}}",
            (
                "sample.yaml:29: pools.a10g.sharing.mig: A10G has no MIG; it can be shared by "
                "time-slicing or MPS"
            ),
        ),
        (
            "onprem",
            "{mps: 4}",
            "{mig: {1g.10gb: 7}}",
            (
                "sample.yaml:30: pools.l40s.sharing.mig: L40S has no MIG; it can be shared by "
                "time-slicing or MPS"
            ),
        ),
    ],
)
def test_mig_needs_a_gpu_that_has_it(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}",
            "{1g.10gb: 2}\n      mps: 4",
            (
                "sample.yaml:23: pools.a100-mig.sharing: MPS does not work on MIG instances; "
                "share them by time-slicing"
            ),
        ),
        (
            "eks",
            "{timeSlicing: 4}",
            "{timeSlicing: 4, mps: 4}",
            (
                "sample.yaml:29: pools.a10g.sharing: time-slicing and MPS exclude each other; "
                "choose one"
            ),
        ),
    ],
)
def test_mps_excludes_mig_and_time_slicing(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "{mps: 4}",
            "{mps: 49}",
            (
                "sample.yaml:30: pools.l40s.sharing.mps: MPS with 49 replicas is too many for "
                "L40S; at most 48"
            ),
        ),
    ],
)
def test_mps_has_a_limit_of_clients(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{timeSlicing: 4}",
            "{timeSlicing: 1}",
            (
                "sample.yaml:29: pools.a10g.sharing.timeSlicing: 1 is out of bounds; allowed: a "
                "whole number, at least 2"
            ),
        ),
        (
            "onprem",
            "{mps: 4}",
            "{mps: 1}",
            (
                "sample.yaml:30: pools.l40s.sharing.mps: 1 is out of bounds; allowed: a whole "
                "number, at least 2"
            ),
        ),
    ],
)
def test_sharing_starts_at_two(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "    nodes: {max: 1}\n",
            "    nodes: {max: 1}\n    sharing: {timeSlicing: 2}\n",
            (
                "sample.yaml:38: pools.mi300x.sharing.timeSlicing: MI300X is a GPU of amd and "
                "cannot be shared; MIG, time-slicing and MPS are for GPUs of nvidia"
            ),
        ),
    ],
)
def test_gpus_of_other_vendors_are_not_shared(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "gke",
            "{1g.10gb: 7}",
            "{1g.10gb: 6}",
            (
                "sample.yaml:17: pools.a100.sharing.mig: gke cuts every GPU into as many "
                "instances of one profile as fit; allowed: {1g.10gb: 7}, {1g.10gb+me: 1}, "
                "{1g.20gb: 4}, {2g.20gb: 3}, {3g.40gb: 2}, {4g.40gb: 1}, {7g.80gb: 1}"
            ),
        ),
        (
            "gke",
            "{1g.10gb: 7}",
            "{1g.10gb: 1, 2g.20gb: 3}",
            (
                "sample.yaml:17: pools.a100.sharing.mig: gke cuts every GPU into as many "
                "instances of one profile as fit; allowed: {1g.10gb: 7}, {1g.10gb+me: 1}, "
                "{1g.20gb: 4}, {2g.20gb: 3}, {3g.40gb: 2}, {4g.40gb: 1}, {7g.80gb: 1}"
            ),
        ),
        (
            "aks",
            "{1g.10gb: 7}",
            "{1g.20gb: 4}",
            (
                "sample.yaml:18: pools.a100mig.sharing.mig: aks cuts every GPU into as many "
                "instances of one profile as fit; allowed: {1g.10gb: 7}, {2g.20gb: 3}, "
                "{3g.40gb: 2}, {4g.40gb: 1}, {7g.80gb: 1}"
            ),
        ),
    ],
)
def test_a_cloud_that_cuts_uniformly_takes_one_profile_in_full(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "gke",
            "{timeSlicing: 4}",
            "{timeSlicing: 49}\n    maxPods: 250",
            (
                "sample.yaml:22: pools.l4.sharing.timeSlicing: 49 pods on a GPU; gke lets fewer "
                "share one; allowed: at most 48"
            ),
        ),
        (
            "gke",
            "nodes: {max: 2}\n    sharing: {timeSlicing: 4}",
            "nodes: {max: 2}\n    maxPods: 250\n    sharing: {timeSlicing: 60}",
            (
                "sample.yaml:23: pools.l4.sharing.timeSlicing: 60 pods on a GPU; gke lets fewer "
                "share one; allowed: at most 48"
            ),
        ),
    ],
)
def test_a_cloud_limits_the_pods_on_a_gpu(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
