"""Sharing of a pool's GPUs among pods, and the ways of sharing that a model allows.

Source: https://github.com/NVIDIA/k8s-device-plugin. Its README, "Shared Access to GPUs", says that
time-slicing and MPS exclude each other and that MPS does not work on MIG devices; the maximum
number of MPS clients is in cmd/mps-control-daemon/mps/device.go, and what bounds their compute in
daemon.go beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from gpus.mig import format_profile
from gpus.model import NVIDIA, GpuModel
from gpus.platform_names import label_value

MIN_REPLICAS = 2


class SharingKind(StrEnum):
    """The ways to share a GPU."""

    NONE = "none"
    MIG = "mig"
    TIME_SLICING = "time-slicing"
    MPS = "mps"
    MIG_TIME_SLICING = "mig-time-slicing"


class SharingWay(StrEnum):
    """The fields of `Sharing`."""

    MIG = "mig"
    TIME_SLICING = "time_slicing"
    MPS = "mps"


@dataclass(frozen=True, slots=True)
class Sharing:
    """How each GPU of a pool is shared; 1 replica, the default, means not shared in that way."""

    mig: tuple[tuple[str, int], ...] = ()
    """The MIG layout of each GPU, as pairs of profile and count."""
    time_slicing: int = 1
    """Replicas of each GPU or MIG instance that take turns."""
    mps: int = 1
    """Clients of each GPU that run at once, each with its part of the memory."""

    @property
    def replicas(self) -> int:
        """How many pods hold one GPU or MIG instance."""
        return max(self.time_slicing, self.mps, 1)

    @property
    def kind(self) -> SharingKind:
        """The way of sharing, provided that `sharing_problems` finds no problem."""
        if self.mig:
            return SharingKind.MIG if self.replicas == 1 else SharingKind.MIG_TIME_SLICING
        if self.mps > 1:
            return SharingKind.MPS
        return SharingKind.TIME_SLICING if self.time_slicing > 1 else SharingKind.NONE

    @property
    def mig_config_name(self) -> str | None:
        """The name of its configuration in the MIG manager's file; None without MIG."""
        if not self.mig:
            return None
        counts = (f"{format_profile(name)}-x{count}" for name, count in sorted(self.mig))
        return label_value("-".join(("mig", *counts)))

    @property
    def device_plugin_config_name(self) -> str | None:
        """The key of its configuration in the device plugin's ConfigMap; None with 1 replica.

        The plugin's configuration names the replicated resources and not their number, so
        layouts of the same profiles share one.
        """
        if self.replicas == 1:
            return None
        way = "mps" if self.mps > 1 else "time-slicing"
        profiles = [format_profile(name) for name, _ in sorted(self.mig)]
        partition = ["mig", *profiles] if profiles else []
        return label_value("-".join((*partition, way, str(self.replicas))))


class SharingProblem(NamedTuple):
    """Why a model cannot be shared in some way."""

    way: SharingWay | None
    """The way of sharing that causes it; None where several do together."""
    text: str


def sharing_problems(sharing: Sharing, model: GpuModel) -> tuple[SharingProblem, ...]:
    if model.vendor != NVIDIA:
        return tuple(_vendor_problems(sharing, model))
    return (
        *_mig_problems(sharing, model),
        *_replica_problems(sharing),
        *_combination_problems(sharing),
        *_mps_problems(sharing, model),
    )


def _vendor_problems(sharing: Sharing, model: GpuModel) -> Iterator[SharingProblem]:
    default = Sharing()
    ways = [way for way in SharingWay if getattr(sharing, way) != getattr(default, way)]
    if ways:
        text = (
            f"{model.name} is a GPU of {model.vendor} and cannot be shared; "
            f"MIG, time-slicing and MPS are for GPUs of {NVIDIA}"
        )
        yield SharingProblem(ways[0] if len(ways) == 1 else None, text)


def _mig_problems(sharing: Sharing, model: GpuModel) -> Iterator[SharingProblem]:
    if not sharing.mig:
        return
    if model.mig is None:
        ways = "time-slicing or MPS" if model.mps else "time-slicing"
        yield SharingProblem(SharingWay.MIG, f"{model.name} has no MIG; it can be shared by {ways}")
        return
    names = [name for name, _ in sharing.mig]
    for name in sorted({name for name in names if names.count(name) > 1}):
        text = f"the MIG layout names {name} {names.count(name)} times; name each profile once"
        yield SharingProblem(SharingWay.MIG, text)
    if problem := model.mig.problem(dict(sharing.mig)):
        text = f"{model.name} cannot hold this MIG layout: {problem}"
        yield SharingProblem(SharingWay.MIG, text)


def _replica_problems(sharing: Sharing) -> Iterator[SharingProblem]:
    for way, name, replicas in (
        (SharingWay.TIME_SLICING, "time-slicing", sharing.time_slicing),
        (SharingWay.MPS, "MPS", sharing.mps),
    ):
        if replicas < 1:
            text = f"{name} with {replicas} replicas shares nothing; at least {MIN_REPLICAS}"
            yield SharingProblem(way, text)


def _combination_problems(sharing: Sharing) -> Iterator[SharingProblem]:
    if sharing.mig and sharing.mps > 1:
        text = "MPS does not work on MIG instances; share them by time-slicing"
        yield SharingProblem(None, text)
    if sharing.time_slicing > 1 and sharing.mps > 1:
        yield SharingProblem(None, "time-slicing and MPS exclude each other; choose one")


def _mps_problems(sharing: Sharing, model: GpuModel) -> Iterator[SharingProblem]:
    max_clients = max_mps_clients(model)
    if sharing.mps > 1 and max_clients == 0:
        text = f"{model.name} has no MPS; share it by time-slicing"
        yield SharingProblem(SharingWay.MPS, text)
    elif sharing.mps > max_clients > 0:
        text = (
            f"MPS with {sharing.mps} replicas is too many for {model.name}; at most {max_clients}"
        )
        yield SharingProblem(SharingWay.MPS, text)


def max_mps_clients(model: GpuModel) -> int:
    """Return how many MPS clients one GPU of the model can have; 0 when it has no MPS.

    Volta could serve as many as later GPUs, but the device plugin refuses them below compute
    capability 7.5.
    """
    if not model.mps:
        return 0
    return 16 if model.architecture == "volta" else 48


def mps_compute_part(clients: int) -> Fraction:
    """Return the part of a GPU's compute that each of so many MPS clients can use at most.

    The device plugin bounds it in whole percents.
    """
    return Fraction(100 // clients, 100)
