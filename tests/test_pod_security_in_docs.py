"""The namespaces take the pods that the pages and examples show in them."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from policies.admission import Effect, Review
from policies.document import namespace_of
from policies.engine import Engine
from policies.manifest_admission import admitted_pods
from policies.pod import DEFAULT_NAMESPACE
from policies.rule_name import RuleName
from tests.namespace_settings import namespace_settings

ROOT = Path(__file__).parents[1]
REVIEW = Review(DEFAULT_NAMESPACE, dt.date(2026, 11, 21))
_RIGHT = "\n## Correction\n"
"""After this a page on a rule shows what is right, and before it what is not."""


def _shown(page: Path) -> Iterator[Document]:
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".yaml":
        yield from from_yaml(text)
        return
    right = text.partition(_RIGHT)[2].partition("\n## ")[0] if _RIGHT in text else text
    for block in right.split("```yaml\n")[1:]:
        yield from from_yaml(block.partition("```")[0])


PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").glob("*.yaml")),
)
DOCUMENTS = {
    str(page.relative_to(ROOT)): documents
    for page in PAGES
    if (documents := [one for one in _shown(page) if namespace_of(one) in namespace_settings()])
}


@pytest.mark.parametrize("documents", DOCUMENTS.values(), ids=DOCUMENTS)
def test_what_is_shown_is_of_the_level_of_its_namespace(documents: list[Document]) -> None:
    found = [
        str(outcome.finding)
        for one in documents
        for pod in admitted_pods(Engine(namespace_settings()[namespace_of(one)]), one, REVIEW)
        for outcome in pod.admission.outcomes
        if outcome.finding.rule == RuleName.POD_SECURITY and outcome.effect is Effect.DENIED
    ]
    assert found == []


def test_every_page_on_a_rule_is_among_them() -> None:
    pages = [f"docs/policies/{name}.md" for name in RuleName]
    assert [page for page in pages if page not in DOCUMENTS] == []
