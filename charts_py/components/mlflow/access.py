"""The way of all pods of teams to MLflow, which records training runs and versions of models.

They reach the one that the platform installs, or that of `addons.modelRegistry.uri`: a Service of
the cluster by its namespace, an address, or another name where `addresses` says where that is.
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.model_registry import ModelRegistry
from charts_py.cluster_file.text_forms import GOOGLE_APIS
from charts_py.components.definition import Definition
from charts_py.components.network_rules import Fields, fixed_network, in_namespace, tcp, to_server
from charts_py.platform.contribution import Contribution, TeamAdditions
from charts_py.platform.draft import Draft
from charts_py.platform.model_registry import MLFLOW, MLFLOW_PORT
from charts_py.platform.name_rule import check_destinations, metadata_network_around
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

MLFLOW_SELECTOR = {"app.kubernetes.io/name": MLFLOW}
"""Labels of the pods of an MLflow of the platform."""
_NAME = "model-registry"
_PATH = ("addons", "modelRegistry")


def check_registry(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where it is nowhere, or twice, or where nodes hand out credentials."""
    registry = draft.cluster.addons.model_registry
    if registry is None or not draft.is_whole(_PATH):
        return
    if (registry.uri is None) == (registry.server is None):
        what = "both an MLflow and" if registry.uri else "neither an MLflow nor"
        allowed = "`uri` of one, or `server: {}` to have one"
        yield Problem(_PATH, f"names {what} one to install", allowed)
    if registry.server and registry.addresses:
        what = "without effect beside `server`; remove this line"
        yield Problem((*_PATH, "addresses"), what)
    yield from _check_metadata(registry)


def _check_metadata(registry: ModelRegistry) -> Iterator[Problem]:
    if registry.uri and (cidr := fixed_network(registry.uri)) and metadata_network_around(cidr):
        what = f'"{registry.uri}" is where nodes answer with their own credentials'
        yield Problem((*_PATH, "uri"), what, "the address of an MLflow")
    yield from check_destinations((*_PATH, "addresses"), registry.addresses)


def _rule(platform: Platform) -> Fields | None:
    """Return what pods of teams reach it by; None where nothing says where it is."""
    registry = platform.cluster.addons.model_registry
    if registry is None:
        return None
    if registry.uri is None:
        server = {**in_namespace(MLFLOW), "podSelector": {"matchLabels": MLFLOW_SELECTOR}}
        return {"to": [server], "ports": tcp([MLFLOW_PORT])}
    return to_server(registry.uri, (GOOGLE_APIS.get(each, each) for each in registry.addresses))


def _contribution(platform: Platform) -> Contribution:
    rule = _rule(platform)
    if rule is None:
        return Contribution()
    spec = {"podSelector": {}, "policyTypes": ["Egress"], "egress": [rule]}
    added = TeamAdditions(network_policies={f"allow-{_NAME}": spec})
    return Contribution(teams={each.name: {_NAME: added} for each in platform.namespaces})


MODEL_REGISTRY = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster has a model registry",
    is_wanted=lambda platform: platform.cluster.addons.model_registry is not None,
    fields=("addons.modelRegistry", "teams"),
    wave=Wave.TEAMS,
    parts=lambda _: iter(()),
    checks=(check_registry,),
    contributes=_contribution,
)
