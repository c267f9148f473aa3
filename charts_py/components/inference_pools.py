"""InferencePools, of which the Gateway asks a picker for the best replica for each request.

A picker knows the queues and caches of the replicas of one model. It is the team's, which makes it
beside the model; what a team may not make stands in its namespaces of inference: an account that
reads their pods and pools, and a NetworkPolicy by which pods with the label of pickers reach the
API server. The definition of the kind is in no chart: Argo CD gets it from its repository, at a
pinned commit. https://gateway-api-inference-extension.sigs.k8s.io
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.components.access import account_subject, cluster_role, policy_rule, role_binding
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.component import Component, PinnedManifests
from charts_py.components.definition import Definition
from charts_py.components.pinned_definitions import mirrored_definitions
from charts_py.components.team.network_policies import allow_api_server
from charts_py.objects.document import EmittedKind
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Access, Contribution, TeamAdditions, Use
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import (
    PICKER,
    PICKER_IMAGE,
    PICKER_SELECTOR,
    POOL_GROUP,
    SIDECAR_IMAGE,
    serving_namespaces,
)
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.image import registry_of

INFERENCE_POOLS = "inference-pools"
IMAGES_OF_TEAMS = (PICKER_IMAGE, SIDECAR_IMAGE)
"""Of pods that teams make beside an InferencePool; no object of the platform names them."""
_PATH = ("serving", "inferencePools")
_READ = ("get", "list", "watch")
_TUNING = ("inferenceobjectives", "inferencemodelrewrites")
"""A picker watches them where somebody has installed their definitions."""
_WATCHED = (
    ("", ("pods",)),
    (POOL_GROUP, ("inferencepools",)),
    ("inference.networking.x-k8s.io", _TUNING),
    ("llm-d.ai", _TUNING),
)
"""What a picker watches, by the roles of its chart."""
DEFINITION = PinnedManifests(
    folder="crds/gateway-api-inference-extension-1.6.0",
    files=("inference.networking.k8s.io_inferencepools.yaml",),
    kinds=(EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),),
)


def check_pools(draft: Draft) -> Iterator[Problem]:
    serving = draft.cluster.serving
    if serving.inference_pools is None:
        return
    if serving.gateway is None and draft.is_read(("serving", "gateway")):
        yield Problem(_PATH, "no Gateway asks a picker", "only with `serving.gateway`")
    yield from check_known_addresses(draft, _PATH)
    yield from mirrored_definitions(draft, _PATH)


def _parts(_: Platform) -> Iterator[Component]:
    role = cluster_role(PICKER, [policy_rule(group, kinds, *_READ) for group, kinds in _WATCHED])
    yield Component(
        name=f"{INFERENCE_POOLS}-definition",
        wave=Wave.OPERATORS,
        namespace="default",
        manifests=DEFINITION,
    )
    yield Component(
        name=INFERENCE_POOLS, wave=Wave.OPERATORS, namespace="default", objects=lambda: (role,)
    )


def _added(platform: Platform, namespace: str) -> TeamAdditions:
    metadata = ObjectMeta(PICKER, namespace)
    allowed = allow_api_server(platform.cluster.network.api_server)
    return TeamAdditions(
        objects=(
            object_of("v1", "ServiceAccount", metadata, {}),
            role_binding(metadata, PICKER, [account_subject(PICKER, namespace)]),
        ),
        network_policies={
            f"allow-{PICKER}": {**allowed, "podSelector": {"matchLabels": dict(PICKER_SELECTOR)}}
        },
    )


def _contribution(platform: Platform) -> Contribution:
    names = (each.name for each in serving_namespaces(platform))
    return Contribution(teams={name: {INFERENCE_POOLS: _added(platform, name)} for name in names})


INFERENCE_POOLS_DEFINITION = Definition(
    name=INFERENCE_POOLS,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.inference_pools is not None,
    fields=("serving.inferencePools", "network.apiServer", "teams", "gitops.charts"),
    wave=Wave.OPERATORS,
    parts=_parts,
    registries=lambda _: tuple({registry_of(image) for image in IMAGES_OF_TEAMS}),
    checks=(check_pools,),
    contribution=Contribution(access=(Access(POOL_GROUP, ("inferencepools",), Use.RUN),)),
    contributes=_contribution,
)
