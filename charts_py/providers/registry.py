"""All providers."""

from collections.abc import Mapping

from charts_py.providers.aks.definition import AKS
from charts_py.providers.definition import ProviderDefinition
from charts_py.providers.eks.definition import EKS
from charts_py.providers.gke.definition import GKE
from charts_py.providers.onprem.definition import ONPREM
from gpus.provider import Provider

PROVIDERS: Mapping[Provider, ProviderDefinition] = {
    definition.name: definition for definition in (EKS, GKE, AKS, ONPREM)
}
