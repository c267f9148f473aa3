"""An object and its cluster on both sides of a change, and conditions on how amounts change."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from charts_py.argocd.application import NAME as APPLICATIONS
from charts_py.objects.document import Document, ObjectKey
from charts_py.objects.fields import Absent, changed_fields
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpuplane.label_selector import Selector, selects
from gpuplane.plan.declared_settings import declared_settings
from gpuplane.plan.effect import Change
from gpuplane.plan.fields import ChangedField, kind_of, leaves
from gpuplane.plan.increment import NOTHING_IDLE, Idle
from gpuplane.plan.pin_change import PinRecord
from gpuplane.plan.pools import Pool, pools_of
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject
from policies.document import value_at
from policies.quantity import read_quantity
from policies.reach import Offer
from policies.settings import Settings
from policies.settings_json import SettingsError

_SECONDS = {"h": 3600, "m": 60, "s": 1}


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """What decides what a change does beside the objects themselves."""

    records: tuple[PinRecord, ...] = ()
    """The records of pins that the platform repository has."""
    today: dt.date | None = None
    """Decides which exceptions to rules have expired; None where nobody asks."""
    settings: tuple[Settings | None, Settings | None] = (None, None)
    """Those of the rules before and after, of versions that render none; None if not known."""
    idle: Idle = NOTHING_IDLE


NO_CONTEXT = ChangeContext()


@dataclass(frozen=True)
class ClusterObjects:
    before: PlacedDocuments
    after: PlacedDocuments
    context: ChangeContext = NO_CONTEXT

    def of_kind(self, kind: str) -> Iterator[Document]:
        """Yield the objects of a kind as they are afterwards, and those that go as they were."""
        for placed in sorted({**self.before, **self.after}):
            if kind_of(placed.key) == kind:
                yield self.after[placed] if placed in self.after else self.before[placed]

    @cached_property
    def offered(self) -> tuple[frozenset[str] | None, ...]:
        """The resources that pools offer before and after; None where that is not known."""
        sides = zip((self.before, self.after), self.context.settings, strict=True)
        return tuple(_offered(documents, known) for documents, known in sides)

    @cached_property
    def pools(self) -> Mapping[str, Pool]:
        """Its pools by name, as they are afterwards, and those that go as they were."""
        return {
            pool.name: pool
            for side in (self.before, self.after)
            for placed, document in side.items()
            for pool in pools_of(kind_of(placed.key), document)
        }

    @cached_property
    def places_afterwards(self) -> Mapping[ObjectKey, tuple[PlacedObject, ...]]:
        """The places of each object afterwards: an object that goes may have moved."""
        found: dict[ObjectKey, tuple[PlacedObject, ...]] = {}
        for placed in self.after:
            found[placed.key] = (*found.get(placed.key, ()), placed)
        return found

    @cached_property
    def namespaces_before(self) -> Mapping[str, PlacedObject]:
        return {each.key.name: each for each in self.before if each.key.kind == "Namespace"}

    @cached_property
    def projects(self) -> Mapping[str, Document]:
        """The AppProjects by name, as they are afterwards."""
        return {
            each.key.name: document
            for each, document in self.after.items()
            if each.key.kind == "AppProject"
        }

    @cached_property
    def applications(self) -> tuple[Mapping[str, Document], Mapping[str, Document]]:
        """The Applications before and after, by the component whose folder each syncs."""
        return _applications(self.before), _applications(self.after)


def _offered(documents: PlacedDocuments, known: Settings | None) -> frozenset[str] | None:
    try:
        settings = declared_settings(documents) or known
    except SettingsError:
        return None
    return frozenset(Offer(settings.pools).resources) if settings else None


def _applications(documents: PlacedDocuments) -> Mapping[str, Document]:
    return {
        path.rpartition("/")[2]: document
        for placed, document in documents.items()
        if placed.component == APPLICATIONS
        and (path := value_at(document, ("spec", "source", "path")))
    }


@dataclass(frozen=True)
class ObjectChange:
    """An object that differs between both sides."""

    placed: PlacedObject
    before: Document | None
    after: Document | None
    cluster: ClusterObjects
    upgrade: tuple[str, str] | None = None
    """The versions of Kubernetes from which and to which the control plane goes, while the object
    stays as it is; None for an object that differs."""

    @property
    def change(self) -> Change:
        if self.upgrade is not None:
            return Change.UPGRADED
        if self.before is None:
            return Change.ADDED
        return Change.REMOVED if self.after is None else Change.CHANGED

    @property
    def sides(self) -> tuple[Document, ...]:
        """The object before and after, as far as there is one; the newer comes last."""
        return tuple(side for side in (self.before, self.after) if side is not None)

    @property
    def document(self) -> Document:
        """The object afterwards; one that goes, as it was."""
        return self.sides[-1]

    @cached_property
    def kind(self) -> str:
        return kind_of(self.placed.key)

    @property
    def pools(self) -> Mapping[str, Pool]:
        """The pools by name whose nodes it makes, or labels, before or after."""
        return {pool.name: pool for side in self.sides for pool in pools_of(self.kind, side)}

    @cached_property
    def names(self) -> tuple[str, str]:
        """The names by which rows find it: its kind, alone and with its chart or else its name."""
        chart = value_at(self.document, ("spec", "source", "chart"))
        name = chart if self.kind == "Application.argoproj.io" and chart else self.placed.key.name
        return self.kind, f"{self.kind}/{name}"

    def is_any(self, patterns: tuple[str, ...]) -> bool:
        return any(fnmatchcase(name, pattern) for name in self.names for pattern in patterns)

    @cached_property
    def fields(self) -> tuple[ChangedField, ...]:
        """All fields that differ, taken apart; none where the object is on one side only."""
        # What did not change is often one document, which both versions have.
        if self.before is None or self.after is None or self.before is self.after:
            return ()
        found = changed_fields(self.before, self.after)
        return tuple(leaf for change in found for leaf in leaves(change))


def comes_with_namespace(change: ObjectChange) -> bool:
    """Say whether the namespace of an object is new, so that nothing runs there yet."""
    name, cluster = change.placed.key.namespace, change.cluster
    is_there = any(each.key.kind == "Namespace" and each.key.name == name for each in cluster.after)
    is_idle = name in cluster.context.idle.namespaces
    return is_idle or (is_there and name not in cluster.namespaces_before)


def namespaces_of(documents: PlacedDocuments, selector: Selector) -> set[str]:
    """Return the namespaces that a selector selects."""
    return {
        placed.key.name
        for placed, document in documents.items()
        if placed.key.kind == "Namespace" and selects(selector, namespace_labels(document))
    }


def namespace_labels(namespace: Document) -> dict[str, str]:
    """Return the labels of a namespace, with that of its name, which the API server adds."""
    labels = value_at(namespace, ("metadata", "labels")) or {}
    return {**labels, NAMESPACE_NAME_LABEL: namespace["metadata"]["name"]}


def seconds(duration: Any) -> int | None:
    """Return the seconds of a duration of Go such as `1h30m`; None for `Never`, and for none."""
    parts = re.findall(r"(\d+)([hms])", duration) if isinstance(duration, str) else []
    return sum(int(amount) * _SECONDS[unit] for amount, unit in parts) if parts else None


def is_less(one: Any, other: Any) -> bool:
    """Say whether an amount is less than another one; an absent one is more than any."""
    if Absent.ABSENT in (one, other):
        return one is not Absent.ABSENT
    amount, limit = read_quantity(one), read_quantity(other)
    return amount is not None and limit is not None and amount < limit


def is_lowered(_: ObjectChange, field: ChangedField) -> bool:
    return is_less(field.new, field.old)


def is_raised(_: ObjectChange, field: ChangedField) -> bool:
    return is_less(field.old, field.new)


def is_lowered_count(_: ObjectChange, field: ChangedField) -> bool:
    return _is_count(field) and is_less(field.new, field.old)


def is_raised_count(_: ObjectChange, field: ChangedField) -> bool:
    return _is_count(field) and is_less(field.old, field.new)


def _is_count(field: ChangedField) -> bool:
    """Say whether a field of a quota counts objects, whose numbers follow from that of pods."""
    return field.segments[-1].startswith("count/")


def forbids_services(_: ObjectChange, field: ChangedField) -> bool:
    """Say whether a quota allows none of a type of Services any longer."""
    is_none = read_quantity(field.new) == 0 and is_less(field.new, field.old)
    return field.segments[-1].startswith("services.") and is_none


def is_added(_: ObjectChange, field: ChangedField) -> bool:
    return field.is_added


def is_removed(_: ObjectChange, field: ChangedField) -> bool:
    return field.is_removed
