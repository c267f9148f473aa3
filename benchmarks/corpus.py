"""What admission does to manifests as people publish them, on each example cluster, by rule.

Run by `GPUPLANE_CORPUS=FOLDER:FOLDER python -m benchmarks.corpus`. Each pod template is treated as
if it were in the first team namespace of the cluster.
"""

import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import SpecError
from gpuplane.admission.loaded_rules import cluster_engine
from gpuplane.admission.manifest_file import ManifestObject, read_manifest_file
from gpuplane.admission.manifest_sources import files_of
from policies.admission import Admission, Effect, Review, today
from policies.engine import Engine
from policies.manifest_admission import PodAdmission, admit_manifest
from policies.manifest_pod import manifest_pods
from policies.operation import copied
from policies.rule_name import RuleName
from policies.rules import RULES

VARIABLE = "GPUPLANE_CORPUS"
"""Environment variable that names the folders, as PATH does."""
CLUSTERS = Path(__file__).parents[1] / "clusters"
_SUFFIXES = (".yaml", ".yml")
_OF_IMAGES = {RuleName.IMAGE_REGISTRY, RuleName.IMAGE_TAG}
_AS_THEY_ARE, _FIXED = "as they are", "fixed"
_DENIED_FOR_IMAGES, _DENIED = "denied for their images alone", "denied"
_DECISIONS = (_AS_THEY_ARE, _FIXED, _DENIED_FOR_IMAGES, _DENIED)
_EFFECTS = (Effect.FIXED, Effect.DENIED, Effect.WARNED, Effect.AUDITED, Effect.FAILED)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The manifests below some folders."""

    makers: tuple[ManifestObject, ...]
    """Objects that create pods."""
    files: int
    faults: tuple[str, ...]
    """Faults of files that hold something else, such as values of a Helm chart."""


def corpus_folders() -> list[Path]:
    """Return the folders that are named; none where they are not."""
    return [Path(each) for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]


def read_corpus(*folders: Path) -> Corpus:
    found = (file for folder in folders for file in files_of(folder))
    files = [file for file in found if file.suffix in _SUFFIXES]
    makers: list[ManifestObject] = []
    faults: list[str] = []
    for file in files:
        try:
            objects = read_manifest_file(file.read_bytes(), str(file))
        except SpecError as error:
            faults += str(error).splitlines()
            continue
        makers += [one for one in objects if any(manifest_pods(one.document))]
    return Corpus(tuple(makers), len(files), tuple(faults))


def example_clusters() -> list[str]:
    return [file.stem for file in find_cluster_files(CLUSTERS).clusters]


def main() -> None:
    if not corpus_folders():
        sys.exit(f"{VARIABLE} does not name a folder of manifests")
    corpus = read_corpus(*corpus_folders())
    admitted = {
        name: _admit_all(cluster_engine(CLUSTERS, name), corpus) for name in example_clusters()
    }
    console = Console(highlight=False)
    others = f"{len(corpus.faults)} of the {corpus.files} files hold no manifests."
    console.print(_by_cluster(admitted), _by_rule(admitted), others)


def _admit_all(engine: Engine, corpus: Corpus) -> list[PodAdmission]:
    review = Review(min(engine.settings.namespaces), today())
    return [
        pod
        for one in corpus.makers
        for pod in admit_manifest(engine, copied(one.document), review, review.namespace).pods
    ]


def _by_cluster(admitted: dict[str, list[PodAdmission]]) -> Table:
    table = Table("cluster", "pod templates", *_DECISIONS, title="By cluster")
    for cluster, pods in admitted.items():
        counts = Counter(_decision(each.admission) for each in pods)
        table.add_row(cluster, str(len(pods)), *(str(counts[decision]) for decision in _DECISIONS))
    return table


def _decision(admission: Admission) -> str:
    if admission.allowed:
        return _FIXED if admission.operations else _AS_THEY_ARE
    # What people publish names their own registries, which says little of the rest.
    rules = {finding.rule for finding in admission.denials}
    return _DENIED_FOR_IMAGES if rules <= _OF_IMAGES else _DENIED


def _by_rule(admitted: dict[str, list[PodAdmission]]) -> Table:
    counts = Counter(
        found
        for pods in admitted.values()
        for each in pods
        for found in {(one.finding.rule, one.effect) for one in each.admission.outcomes}
    )
    effects = [effect for effect in _EFFECTS if any(counted is effect for _, counted in counts)]
    table = Table("rule", *effects, title="By rule, on all clusters")
    for rule in RULES:
        numbers = [counts[rule.name, effect] for effect in effects]
        table.add_row(rule.name, *(str(number or "") for number in numbers))
    return table


if __name__ == "__main__":
    main()
