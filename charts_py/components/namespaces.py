"""The namespaces of the platform itself; a team's come with the team.

Pods there are either exempt from admission or held to all rules. Deleting the namespace of node
pools would delete their objects, and with those the machines in the cloud.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pod_security_labels
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import CONFIRMED_REMOVAL, Wave
from upstream.kubernetes_version import KubernetesVersion


def _made_together(platform: Platform) -> tuple[PlatformNamespace, ...]:
    added = platform.contribution.namespaces
    return tuple(own for own in added if not own.goes_last and not own.made_elsewhere)


def namespace_objects(platform: Platform, own: Iterable[PlatformNamespace]) -> Iterator[Document]:
    for each in sorted(own, key=lambda each: each.name):
        yield namespace_object(each, platform.cluster.kubernetes)


def namespace_object(own: PlatformNamespace, kubernetes: KubernetesVersion) -> Document:
    """Return the Namespace: what is enforced there is also what is reported."""
    level = own.pod_security
    labels = pod_security_labels(kubernetes, enforced=level, reported=level)
    annotations = CONFIRMED_REMOVAL if own.confirmed_removal else {}
    metadata = ObjectMeta(own.name, labels=labels, annotations=annotations)
    return object_of("v1", "Namespace", metadata, {})


NAMESPACES = Definition(
    name="namespaces",
    description=__doc__,
    appears="where another component needs a namespace of its own",
    is_wanted=lambda platform: bool(_made_together(platform)),
    fields=("kubernetes",),
    wave=Wave.NAMESPACES,
    objects=lambda platform: namespace_objects(platform, _made_together(platform)),
    removed_last=lambda platform: any(own.confirmed_removal for own in _made_together(platform)),
)


def _lasting(platform: Platform) -> Iterator[Component]:
    for own in platform.contribution.namespaces:
        if own.goes_last:
            yield Component(
                name=f"{own.name}-namespace",
                wave=Wave.LASTING_NAMESPACES,
                namespace="default",
                objects=partial(namespace_objects, platform, (own,)),
                is_removed_last=True,
            )


LASTING_NAMESPACES = Definition(
    name="lasting-namespaces",
    description="""
Namespaces that go after what stands in them, each in an Application of its own.

What the component `namespaces` drops is gone before Argo CD prunes the Application of a component
that is dropped with it. Until then that puts back what stood in the namespace, fails, and goes only
when it has retried for up to ten minutes.
""",
    appears="where an operator that can be switched off needs a namespace of its own",
    is_wanted=lambda platform: any(own.goes_last for own in platform.contribution.namespaces),
    fields=("kubernetes",),
    wave=Wave.LASTING_NAMESPACES,
    parts=_lasting,
)


def lasting_namespace(
    name: str,
    description: str,
    own: PlatformNamespace,
    appears: str,
    is_wanted: Callable[[Platform], bool],
    fields: tuple[str, ...],
) -> Definition:
    """Return the component of a namespace that outlives the process in it.

    Argo CD removes Applications in the reverse order of their waves. What the component above drops
    is gone before that begins, and with it would go a process that has to release objects of
    others. This one goes after all else is synced: what monitors the process stands in it, too, and
    Argo CD would put that back into a namespace that is gone.
    """
    return Definition(
        name=name,
        description=description,
        appears=appears,
        is_wanted=is_wanted,
        fields=(*fields, "kubernetes"),
        wave=Wave.LASTING_NAMESPACES,
        contribution=Contribution(namespaces=(replace(own, made_elsewhere=True),)),
        removed_last=lambda _: True,
        objects=lambda platform: namespace_objects(platform, (own,)),
    )
