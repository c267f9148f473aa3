"""Where a cluster runs."""

from enum import StrEnum


class Provider(StrEnum):
    """The four kinds of places where a cluster runs."""

    EKS = "eks"
    GKE = "gke"
    AKS = "aks"
    ONPREM = "onprem"
