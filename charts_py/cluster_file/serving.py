"""What scales, replaces and routes to the services of teams that serve models."""

from pydantic import Field

from charts_py.cluster_file.node_cache import NodeCache
from charts_py.cluster_file.strict_model import StrictModel, added_later
from charts_py.cluster_file.text_forms import DomainName, ObjectName


class Keda(StrictModel):
    """KEDA, which scales services by what Prometheus knows of them; `{}` has it with defaults."""


class KedaHttpAddOn(StrictModel):
    """KEDA's HTTP add-on, which wakes services that have no replica; `{}` has it with defaults."""


class ArgoRollouts(StrictModel):
    """Argo Rollouts, which replaces replicas step by step; `{}` has it with defaults."""


class Gateway(StrictModel):
    """A Gateway, by which requests from outside of the cluster reach the services of teams."""

    domain: DomainName
    """Services have names of the form `NAME.TEAM.DOMAIN`: each team with a namespace of inference
    has `*.TEAM.DOMAIN` to itself."""
    issuer: ObjectName = Field(examples=["letsencrypt"])
    """ClusterIssuer of cert-manager that signs the certificates of these names."""
    public: bool = False
    """Whether the load balancer of a cloud has an address of the internet. By default it has one of
    the cluster's network alone: the Gateway asks nobody who they are."""


class InferencePools(StrictModel):
    """InferencePools, by which requests go to the replica that answers soonest; `{}` has them."""


class Serving(StrictModel):
    """What serves models, each part of which is installed where it is named."""

    keda: Keda | None = added_later(None)
    """KEDA (ScaledObject), which adds and removes replicas by their queues. It owns the API of
    external metrics, which a cluster has once: no adapter and no add-on of the cloud beside it."""
    keda_http_add_on: KedaHttpAddOn | None = added_later(None)
    """KEDA's HTTP add-on (InterceptorRoute), which holds requests to a service without replicas
    until one is ready. It needs `keda`, `gateway`, by which alone requests reach it, and
    `network.apiServer`."""
    gateway: Gateway | None = added_later(None)
    """A Gateway by agentgateway, with the definitions of Gateway API, which a cluster has once: no
    other implementation and no add-on of the cloud that brings them."""
    inference_pools: InferencePools | None = added_later(None)
    """InferencePools of teams, of which the Gateway asks a picker for the best replica for each
    request (docs/serving.md). They need `gateway` and `network.apiServer`."""
    argo_rollouts: ArgoRollouts | None = added_later(None)
    """Argo Rollouts (Rollout, AnalysisTemplate), which replaces a few replicas first, and the rest
    as their metrics allow. Its controller reaches what `network.apiServer` lists and Prometheus at
    `addons.monitoring.prometheusUrl`, but nothing else that a team names."""
    node_cache: NodeCache | None = added_later(None)
    """Weights of models on the disks of nodes, which a daemon on each node downloads and pods of
    teams read (docs/serving.md)."""
