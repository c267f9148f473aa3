"""A run of the linter, which does nothing again that was done before."""

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from gpuplane.lint.cache import CacheStore, digest, folder_digest, installation_digest
from gpuplane.lint.finding import FileFindings, from_json, to_json
from gpuplane.lint.lint_source import LintSource
from gpuplane.workloads.capacity import Capacity

if TYPE_CHECKING:
    from gpuplane.lint.siblings import ToldIndex


class Listener(NamedTuple):
    """A listener of a Gateway."""

    name: str
    hostname: str
    namespaces: Sequence[str]
    """From which it takes routes."""


class GatewayFacts(NamedTuple):
    namespace: str
    name: str
    listeners: Sequence[Listener]


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A cluster in which manifests may be applied."""

    name: str
    kubernetes: str
    """Minor version, such as `1.36`."""
    settings: str = ""
    """Settings of its admission, as JSON."""
    workers: Mapping[str, str] = field(default_factory=dict)
    """Settings of the clusters that run jobs for it, by name."""
    custom_rules: Sequence[str] = ()
    """Names of the custom rules of its platform team."""
    taken: Sequence[str] = ()
    """Namespaces whose jobs the workers run."""
    capacities: Mapping[str, Sequence[Capacity]] = field(default_factory=dict)
    """Most that the pods of a namespace can have, where the cluster itself runs them."""
    pods: Mapping[str, int] = field(default_factory=dict)
    """Most pods that a namespace may have, likewise."""
    policies: Sequence[Mapping[str, Any]] = ()
    """Policies of its API server that judge what no rule of admission does, with their bindings."""
    lacks: Sequence[str] = ()
    """Fields of its file that would install controllers and are not set."""
    brings: Sequence[str] = ()
    """Kinds of which its own manifests have the definition, as `KIND.GROUP`."""
    levels: Mapping[str, Sequence[str]] | None = None
    """Levels of the topologies of its queues, by pool; None where these place no pods."""
    runtimes: Sequence[str] | None = None
    """Names of its ClusterTrainingRuntimes; None where they are not known."""
    claims: Mapping[str, int] = field(default_factory=dict)
    """Most ResourceClaims that a namespace may have, where its quota says so."""
    refused_services: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Types of Services of which the quota of a namespace has room for none."""
    gateway: GatewayFacts | None = None
    """Its Gateway; None where its file has none."""
    not_live: str = ""
    """The version that judges and the one that is live, as a sentence; empty where they are one."""
    is_named: bool = False
    """Whether the manifests are meant for it, whatever their namespaces."""


@dataclass(frozen=True, slots=True)
class LintTerms:
    """The terms on which manifests are judged."""

    today: dt.date
    """Exceptions that end before it have expired."""
    namespace: str | None = None
    """Takes the place of the namespaces that objects name."""
    told: "ToldIndex | None" = None
    """What other files of the run say of workloads."""


Load: TypeAlias = Callable[[Path, Sequence[str]], tuple[ClusterFacts, ...]]
Keep: TypeAlias = Callable[[LintSource, FileFindings], None]
Judge: TypeAlias = Callable[
    [Sequence[LintSource], Sequence[ClusterFacts], LintTerms, Keep], Sequence[FileFindings]
]
"""Returns what is found in each of the files, and has kept it."""


def read_facts(fields: Mapping[str, Any]) -> ClusterFacts:
    """Read what `asdict` has made of the facts of a cluster, and JSON of that."""
    capacities = {
        name: [Capacity(*each) for each in held] for name, held in fields["capacities"].items()
    }
    gateway = fields["gateway"]
    if gateway is not None:
        namespace, name, listeners = gateway
        gateway = GatewayFacts(namespace, name, [Listener(*each) for each in listeners])
    return ClusterFacts(**{**fields, "capacities": capacities, "gateway": gateway})


class LintRun:
    """One run of the linter, with the cache of this version of gpuplane.

    `load` and `judge` import far more than what reads the cache needs, so that they are passed in.
    """

    def __init__(self, cache: Path | None, load: Load, judge: Judge) -> None:
        """`cache`: its folder; None keeps nothing."""
        self._store = CacheStore(cache)
        self._tool = "" if cache is None else installation_digest()
        self._load, self._judge = load, judge

    def clusters(self, folder: Path, names: Sequence[str]) -> tuple[ClusterFacts, ...]:
        store = self._store.below(self._tool)
        try:
            key = digest("clusters", folder_digest(folder), *names)
        except OSError:  # loading reports it in words
            return self._load(folder, names)
        if (kept := store.read(key)) is not None:
            found = tuple(map(read_facts, json.loads(kept)))
        else:
            found = self._load(folder, names)
            store.write(key, json.dumps([asdict(each) for each in found]))
        store.mark_used()
        return found

    def kept(self, name: str) -> CacheStore:
        """Return where that is kept which follows from the content of a file alone."""
        return self._store.below(digest(name, self._tool))

    def findings(
        self, sources: Sequence[LintSource], clusters: Sequence[ClusterFacts], terms: LintTerms
    ) -> list[FileFindings]:
        """Return the findings in each file; only files that were not seen before are judged."""
        # What files tell is part of the key of those that it concerns.
        alike = asdict(replace(terms, told=None))
        inputs = json.dumps([[asdict(each) for each in clusters], alike], default=str)
        store = self._store.below(digest("findings", self._tool, inputs))
        kept = [store.read(_key(source, terms)) for source in sources]
        unseen = [source for source, text in zip(sources, kept, strict=True) if text is None]

        # Each file is kept as soon as it is judged, so that an interrupted run loses little.
        def keep(source: LintSource, new: FileFindings) -> None:
            store.write(_key(source, terms), to_json(new))

        judged = iter(self._judge(unseen, clusters, terms, keep) if unseen else ())
        store.mark_used()
        return [
            next(judged) if text is None else from_json(text, source.shown_as)
            for source, text in zip(sources, kept, strict=True)
        ]


def _key(source: LintSource, terms: LintTerms) -> str:
    flags = (
        *(source.is_named, source.is_patch, source.is_file),
        *(source.leads_out, source.is_placed_later),
    )
    how = *map(str, (*flags, source.unread_line)), source.unbuilt, source.unread
    told = "" if terms.told is None else terms.told.concerning(source, terms.namespace)
    return digest(*how, told, source.content)
