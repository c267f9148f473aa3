"""What the other objects of a file, and of the other files of a run, say of a workload."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import TypeAlias

from charts_py.objects.document import Document
from gpuplane.label_selector import selects
from gpuplane.lint.cache import digest
from gpuplane.lint.lint_source import LintSource, asks_for_folder
from gpuplane.lint.told import (
    BUDGET,
    CLAIMS,
    HOLDING_PODS,
    IN_FOLDER,
    LEADER_WORKER_SET,
    MOST,
    SERVICE,
    Told,
    target_of,
)
from gpuplane.lint.told_beside import words
from policies.document import Json, members, value_at
from policies.settings import kind_of

_Name: TypeAlias = tuple[str, str]
"""Kind and name."""
_Label: TypeAlias = tuple[str, str]
OF_GROUP = "leaderworkerset.sigs.k8s.io/"
_MAX_ALIKE = 2
"""Of the objects of a name in other files, the first counts that is not in the file itself."""


class _Layer:
    """What is told in one place, by everything that is asked of it."""

    def __init__(self, told: Iterable[Told] = ()) -> None:
        self.named = defaultdict[_Name, list[Told]](list)
        for each in told:
            alike = self.named[each.kind, each.name]
            if len(alike) < _MAX_ALIKE and each.file not in {one.file for one in alike}:
                alike.append(each)
        self.targeting = defaultdict[_Name, list[Told]](list)
        self.about = defaultdict[str, list[Told]](list)
        self._of_kind = defaultdict[str, list[Told]](list)
        self._labelled = defaultdict[_Label | None, list[Told]](list)
        self._selecting = defaultdict[tuple[str, _Label | None], list[Told]](list)
        known = [*chain.from_iterable(self.named.values())]
        wanted = Counter(label for each in known for label in _labels_of(each))
        for each in known:
            self.targeting[each.target].append(each)
            self._of_kind[each.kind].append(each)
            for name in {each.name, each.target[1]}:
                self.about[name].append(each)
            # The replicas of a group are several pods.
            if each.kind in HOLDING_PODS and each.kind != LEADER_WORKER_SET.kind and each.labels:
                for label in (None, *_labels(each.labels)):
                    self._labelled[label].append(each)
            # A selector is found by the label that the fewest others want.
            rarest = min(_labels_of(each), key=lambda one: (wanted[one], one), default=None)
            self._selecting[each.kind, rarest].append(each)

    def of_kinds(self, kinds: Iterable[str]) -> Iterator[Told]:
        return chain.from_iterable(self._of_kind.get(kind, ()) for kind in kinds)

    @cached_property
    def in_folder(self) -> str:
        """What may be looked for in a folder, as one text."""
        return digest(repr([each[1:] for each in self.of_kinds(IN_FOLDER)]))

    def labelled(self, selector: Mapping[str, Json]) -> Sequence[Told]:
        """Return workloads, among them all whose pods a selector selects."""
        wanted: Sequence[_Label | None] = _labels(members(selector.get("matchLabels"))) or [None]
        return min((self._labelled.get(each, ()) for each in wanted), key=len)

    def selecting(self, kind: str, labels: Iterable[_Label]) -> Iterator[Told]:
        """Yield objects of a kind, among them all that select any pod with some of the labels."""
        for label in (None, *labels):
            yield from self._selecting.get((kind, label), ())


def _labels(stated: Mapping[str, Json]) -> list[_Label]:
    return [(key, value) for key, value in stated.items() if type(value) is str]


def _labels_of(one: Told) -> list[_Label]:
    is_budget = one.kind == BUDGET.kind
    return _labels(members(one.labels.get("matchLabels")) if is_budget else one.labels)


@dataclass(frozen=True, slots=True)
class Siblings:
    """What is told in a namespace.

    Of several objects of a name, as there are in the files of several clusters, the nearest counts.
    """

    file: str = ""
    own: Sequence[_Layer] = ()
    """What the file itself tells."""
    others: Sequence[_Layer] = ()
    """What is told in files, the nearest first; what this one tells there does not count."""

    def named(self, kind: str, name: str) -> Told | None:
        own = (each for layer in self.own for each in layer.named.get((kind, name), ()))
        others = (each for layer in self.others for each in layer.named.get((kind, name), ()))
        return next(chain(own, (each for each in others if each.file != self.file)), None)

    def _found(self, ask: Callable[[_Layer], Iterable[Told]]) -> list[Told]:
        found = chain.from_iterable(map(ask, (*self.own, *self.others)))
        nearest = (each for each in found if self.named(each.kind, each.name) is each)
        return [*{(each.kind, each.name): each for each in nearest}.values()]

    def beside(self, kinds: Iterable[str]) -> list[Told]:
        """Return what is told of some kinds in the file, and in those of its folder.

        What stands in other folders may be for other clusters.
        """
        layers = (*self.own, *self.others[:1])
        found = dict[_Name, Told]()
        for each in chain.from_iterable(layer.of_kinds(kinds) for layer in layers):
            found.setdefault((each.kind, each.name), each)
        return [*found.values()]

    def named_beside(self, kind: str, name: str) -> Told | None:
        """Return the same of one name."""
        layers = (*self.own, *self.others[:1])
        found = chain.from_iterable(layer.named.get((kind, name), ()) for layer in layers)
        return next(found, None)

    def about(self, names: set[str]) -> list[Told]:
        """Return what has one of some names, or is about such."""
        return self._found(
            lambda layer: (
                each for name in sorted(layer.about.keys() & names) for each in layer.about[name]
            )
        )

    def is_served(self, labels: Mapping[str, Json]) -> bool:
        """Whether a Service of the file selects pods with some labels."""
        wanted = _labels(labels)
        found = chain.from_iterable(each.selecting(SERVICE.kind, wanted) for each in self.own)
        selectors = [{"matchLabels": each.labels} for each in found if each.labels]
        return any(selects(each, labels) for each in selectors)

    def targeting(self, kind: str, name: str) -> list[Told]:
        """Return a workload, and what changes it."""
        return self._found(lambda layer: layer.targeting.get((kind, name), ()))

    def autoscalers(self, kind: str, name: str) -> Iterator[tuple[Told, int]]:
        """Yield what changes a workload, with the most replicas that it makes."""
        for each in self.targeting(kind, name):
            if (kind, name) != (each.kind, each.name) and each.replicas is not None:
                yield each, each.replicas

    def device_classes(self, claims: str) -> frozenset[str]:
        """Return the DeviceClasses that the claims of a template of that name need."""
        told = self.named(CLAIMS.kind, claims)
        return frozenset(told.labels if told else ())

    def joined(self, one: Document) -> list[Told]:
        """Return the workloads that an object autoscales, or of which it keeps pods."""
        kind, selector = kind_of(one), value_at(one, ("spec", "selector"))
        if kind in MOST:
            found = self.named(*target_of(one))
            return [] if found is None else [found]
        return self.kept(selector) if kind == BUDGET and type(selector) is dict else []

    def kept(self, selector: Mapping[str, Json]) -> list[Told]:
        """Return the workloads whose pods a selector selects."""
        found = self._found(lambda layer: layer.labelled(selector))
        return [each for each in found if selects(selector, each.labels)]

    def answering(self, selector: Mapping[str, Json]) -> list[Told]:
        """Return the same with LeaderWorkerSets beside it whose leaders a selector selects."""
        groups = self.beside((LEADER_WORKER_SET.kind,))
        kept = self.kept(selector)
        return [*kept, *(each for each in groups if selects(selector, _of_leader(each)))]

    def budgets_beside(self, name: str, kept: Sequence[Told]) -> list[Told]:
        """Return other budgets of the same folder that keep some of the pods of a budget.

        Those of other folders may be for other clusters.
        """
        if (own := self.named(BUDGET.kind, name)) is None:
            return []
        folder = os.path.dirname(own.file)  # noqa: PTH120 # of a thousand files
        labels = dict.fromkeys(chain(_labels_of(own), *(_labels(each.labels) for each in kept)))
        found = [
            each
            for each in self._found(lambda layer: layer.selecting(BUDGET.kind, labels))
            if each is not own
            and os.path.dirname(each.file) == folder  # noqa: PTH120 # as above
            and (each.labels == own.labels or any(selects(each.labels, pod.labels) for pod in kept))
        ]
        return sorted(found, key=lambda each: each.name)

    def most(self, workload: Told) -> int | None:
        """Return the most replicas that a workload has; None where that is not stated."""
        stated = (each.replicas for each in self.targeting(*workload.target))
        return max(filter(None, stated), default=None)


def _of_leader(group: Told) -> Mapping[str, Json]:
    """Return the labels of leaders with those that the controller adds.

    https://lws.sigs.k8s.io/docs/reference/labels-annotations-and-environment-variables/
    """
    added = {f"{OF_GROUP}name": group.name, f"{OF_GROUP}worker-index": "0"}
    return {**group.labels, **added}


_NOTHING = _Layer()
ALONE = Siblings()
SiblingsIn: TypeAlias = Callable[[str], Siblings]
"""Returns what is told in a namespace, which is empty where none is stated."""


class ToldIndex:
    """What the files of a run tell."""

    def __init__(self, told: Iterable[Told] = ()) -> None:
        self.told = tuple(told)
        places = defaultdict[tuple[str, str | None], list[Told]](list)
        self._files = defaultdict[str, list[Told]](list)
        for each in self.told:
            places[each.namespace, None].append(each)
            places[each.namespace, os.path.dirname(each.file)].append(each)  # noqa: PTH120 # as above
            self._files[each.file].append(each)
        self._layers = {place: _Layer(found) for place, found in places.items()}
        self._namespaces = {each.namespace for each in self.told}

    def beside(self, file: str, own: Iterable[Told]) -> SiblingsIn:
        """Return what is told of the objects of a file; `own` is what these tell themselves.

        Objects of a file that name no namespace are meant for those of the others, or else of the
        folder.
        """
        in_namespace, folder = defaultdict[str, list[Told]](list), os.path.dirname(file)  # noqa: PTH120 # as above
        for each in own:
            in_namespace[each.namespace].append(each)
        unsaid, all_own = _Layer(in_namespace[""]), [*chain(*in_namespace.values())]

        @cache
        def siblings(namespace: str) -> Siblings:
            mine = _Layer(in_namespace.get(namespace, ()) if namespace else all_own)
            places = (folder, None) if namespace else (folder,)
            others = [self._layers.get((namespace, each), _NOTHING) for each in places]
            return Siblings(file, (mine, unsaid), others)

        return siblings

    @cached_property
    def _all(self) -> str:
        return digest(repr(self.told))

    def concerning(self, source: LintSource, namespace: str | None) -> str:
        """Return all that other files tell and by which the findings in a file may differ.

        `namespace` takes the place of those that objects name.
        """
        if not self.told:
            return ""
        own = self._files.get(source.shown_as, [])
        budgets = [each for each in own if each.kind == BUDGET.kind]
        if source.content.count(BUDGET.kind.encode()) > len(budgets):
            return self._all  # one that another object wraps, or of a patch
        beside, known = self.beside(source.shown_as, own), words(source.content)
        places = sorted({namespace or "", ""} | (known & self._namespaces))
        found = [beside(place).about(known) for place in places]
        for each in budgets:
            here = beside(each.namespace)
            kept = here.kept(each.labels)
            found += [kept, here.budgets_beside(each.name, kept)]
            found += (here.targeting(*one.target) for one in kept)
        folders = [beside(place).others[0].in_folder for place in places if asks_for_folder(source)]
        return "".join((*folders, repr([each[1:] for told in found for each in told])))


NOTHING_TOLD = ToldIndex()
