"""The page of prerequisites: what every cluster needs, its components, and each provider."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert
from msgspec.structs import replace

from charts_py.components.agentgateway import GATEWAY_API
from charts_py.components.definition import Definition
from charts_py.components.inference_pools import DEFINITION as POOL_DEFINITION
from charts_py.components.kueue.definition import KUEUE_NAMESPACE
from charts_py.components.kueue.workers import ACCOUNT, KUBECONFIG_KEY, kubeconfig_secret
from charts_py.components.registry import DEFINITIONS
from charts_py.components.slurm import api as slurm
from charts_py.components.training_operator.definition import DEFINITIONS as TRAINING_DEFINITIONS
from charts_py.metrics.table import read_table
from charts_py.platform.platform_namespaces import OPEN_NAMESPACE
from charts_py.providers.definition import ProviderDefinition
from charts_py.providers.registry import PROVIDERS
from gpuplane.reference import introduction, quoted, table_row
from gpus.platform_names import POOL

_PULL_SECRETS = "imagePullSecrets"

_HEADER = "| Prerequisite | Needed | Without it |\n|---|---|---|"


class Prerequisite(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that somebody else brings, as `prerequisites.yaml` describes it."""

    name: str
    needed: str = "always"
    checked: str | None = None
    without: str


class Prerequisites(Struct, frozen=True, forbid_unknown_fields=True):
    """All of them, by the names of components and providers."""

    every_cluster: tuple[Prerequisite, ...]
    components: dict[str, tuple[Prerequisite, ...]]
    providers: dict[str, tuple[Prerequisite, ...]]


_METRICS_SERVER = Prerequisite(
    name="metrics-server, which the platform installs; where the cluster has one, set "
    "`addons.metricsServer.install: false`",
    without="without any, the webhook's autoscaler is Degraded, and the API server never calls the "
    "webhook; two overwrite each other",
)


@cache
def known_prerequisites() -> Prerequisites:
    """Return what the table lists; raise TableError where its placeholders are amiss."""
    repositories = {chart.repository for definition in DEFINITIONS for chart in definition.charts}
    table = read_table(
        files(__package__) / "prerequisites.yaml",
        gateway_definitions=GATEWAY_API.repository,
        jwt_key=slurm.JWT_KEY,
        jwt_key_secret=slurm.JWT_KEY_SECRET,
        kubeconfig_account=ACCOUNT,
        kubeconfig_key=KUBECONFIG_KEY,
        kubeconfig_secret=kubeconfig_secret("WORKER"),
        kueue_namespace=KUEUE_NAMESPACE,
        pool=POOL,
        pool_definitions=POOL_DEFINITION.repository,
        repositories=quoted(sorted(repositories)),
        slurm_key=slurm.SLURM_KEY,
        slurm_key_secret=slurm.SLURM_KEY_SECRET,
        slurm_namespace=slurm.SLURM_NAMESPACE,
        training_definitions=TRAINING_DEFINITIONS.repository,
    )
    return convert(table, Prerequisites)


def prerequisites_page() -> str:
    sections = (
        ("Every cluster", known_prerequisites().every_cluster),
        ("By component", _of_components()),
        *((name.value, _of_provider(name.value, one)) for name, one in PROVIDERS.items()),
    )
    return "\n".join(
        [introduction("prerequisites"), *(_section(title, rows) for title, rows in sections)]
    )


def _of_components() -> Iterator[Prerequisite]:
    """Yield one for those of several components that are the same, at the place of the first."""
    components: dict[Prerequisite, list[str]] = {}
    for definition in DEFINITIONS:
        for each in known_prerequisites().components.get(definition.name, ()):
            components.setdefault(each, []).append(definition.name)
    for each, names in components.items():
        yield replace(each, needed=f"{quoted(names)}: {each.needed}")
    yield _pull_secrets()


def _pull_secrets() -> Prerequisite:
    pulling = (definition for definition in DEFINITIONS if _PULL_SECRETS in definition.steered_by)
    names = {name for definition in pulling for name in _namespaces_of_pods(definition)}
    return Prerequisite(
        name=f"The secrets that `{_PULL_SECRETS}` and `registries` name, in each of the namespaces "
        f"{quoted(sorted(names))} that the cluster has",
        needed="where they name some",
        without="images of private registries are not pulled, and their wave never ends",
    )


def _namespaces_of_pods(definition: Definition) -> set[str]:
    """Return those that are not of teams: what is in no namespace of its own describes theirs."""
    named = {definition.namespace_name} - {OPEN_NAMESPACE}
    return {own.name for own in definition.added.namespaces} or named


def _of_provider(name: str, provider: ProviderDefinition) -> Iterator[Prerequisite]:
    if not provider.brings_metrics_server:
        yield _METRICS_SERVER
    yield _network_policy_engine(provider)
    yield from known_prerequisites().providers[name]


def _network_policy_engine(provider: ProviderDefinition) -> Prerequisite:
    return Prerequisite(
        name=f"An engine that enforces NetworkPolicies: {quoted(provider.network_policy_engines)}",
        checked="`network.policyEngine` is one of these",
        without="NetworkPolicies are accepted and ignored: pods of all teams reach each other",
    )


def _section(title: str, rows: Iterable[Prerequisite]) -> str:
    return "\n".join([f"## {title}", "", _HEADER, *map(_row, rows), ""])


def _row(each: Prerequisite) -> str:
    checked = f"; checked: {each.checked}" if each.checked else ""
    return table_row(each.name, each.needed + checked, each.without)
