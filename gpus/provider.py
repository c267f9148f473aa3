"""Where a cluster runs."""

from __future__ import annotations

from enum import StrEnum


class Provider(StrEnum):
    """The four kinds of place that a cluster runs in."""

    EKS = "eks"
    GKE = "gke"
    AKS = "aks"
    ONPREM = "onprem"
