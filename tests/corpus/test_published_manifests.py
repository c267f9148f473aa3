"""Manifests as people publish them, below the folders that GPUPLANE_CORPUS names.

Every pod template is admitted on each example cluster, in its own namespace and in every team's.
"""

from collections.abc import Iterator

import jsonpatch
import pytest

from benchmarks.corpus import (
    CLUSTERS,
    VARIABLE,
    Corpus,
    corpus_folders,
    example_clusters,
    read_corpus,
)
from gpuplane.admission.loaded_rules import cluster_engine
from policies.admission import Effect, Review, today
from policies.document import Document
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, admit_manifest
from policies.operation import copied
from policies.rule_name import RuleName
from tests.policies.lost_fields import lost_fields

COMPUTED = "/spec/priority"
"""What the API server computes again from the priority class."""

Case = tuple[str, str | None, Document, ManifestAdmission]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    if not corpus_folders():
        pytest.skip(f"{VARIABLE} does not name a folder of manifests")
    return read_corpus(*corpus_folders())


@pytest.fixture(scope="module", params=example_clusters())
def engine(request: pytest.FixtureRequest) -> Engine:
    return cluster_engine(CLUSTERS, request.param)


@pytest.fixture(scope="module")
def cases(corpus: Corpus, engine: Engine) -> list[Case]:
    """Return every manifest, its place, its namespace, and the decision on it."""
    return list(_cases(corpus, engine))


def _cases(corpus: Corpus, engine: Engine) -> Iterator[Case]:
    for one in corpus.makers:
        for namespace in (None, *engine.settings.namespaces):
            admission = _admit(engine, one.document, namespace)
            yield str(one.mark), namespace, one.document, admission


def _admit(engine: Engine, document: Document, namespace: str | None) -> ManifestAdmission:
    return admit_manifest(engine, copied(document), Review("default", today()), namespace)


def test_what_is_no_manifest_is_known_as_such(corpus: Corpus) -> None:
    assert corpus.makers
    others = (": not an object; ", ": a template of ", ": the placeholder ")
    assert [fault for fault in corpus.faults if not any(each in fault for each in others)] == []


def test_no_rule_and_no_fix_fails(cases: list[Case]) -> None:
    failed = [
        (mark, outcome)
        for mark, _, _, admission in cases
        for each in admission.pods
        for outcome in each.admission.outcomes
        if outcome.effect is Effect.FAILED
    ]
    assert failed == []


def test_no_claim_is_taken_for_a_gpu(cases: list[Case]) -> None:
    refused = [
        mark
        for mark, _, _, admission in cases
        for each in admission.pods
        for outcome in each.admission.outcomes
        if outcome.finding.rule is RuleName.DEVICE_CLAIM
    ]
    assert refused == []


def test_every_patch_makes_the_document_after_the_fixes(cases: list[Case]) -> None:
    wrong = [
        mark
        for mark, _, document, admission in cases
        if jsonpatch.apply_patch(document, [o.to_json() for o in admission.operations])
        != admission.document
    ]
    assert wrong == []


def test_a_second_admission_changes_nothing(engine: Engine, cases: list[Case]) -> None:
    changed = [
        mark
        for mark, namespace, _, admission in cases
        if _admit(engine, admission.document, namespace).operations
    ]
    assert changed == []


def test_no_field_is_lost(cases: list[Case]) -> None:
    lost = [
        (mark, path)
        for mark, _, document, admission in cases
        for path in lost_fields(document, admission.document)
        if not path.endswith(COMPUTED)
    ]
    assert lost == []
