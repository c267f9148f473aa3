"""What is told when a piece of a sample is replaced.

`faults/` mirrors `charts_py/`: the file of a module holds its facts, each with rows of a sample,
the `old` text in it, the `new` text and the whole `fault`. A block whose text begins indented is
`|2`, as YAML requires.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from charts_py.cluster_file.source import read_source
from tests.charts_py.fixture_types import FaultsOf, Sample
from tests.told_lists import with_lists

CHARTS = Path(__file__).parents[2] / "charts_py"
FAULTS = Path(__file__).parent / "faults"
SAMPLES = {file.stem for file in (Path(__file__).parent / "samples").glob("*.yaml")}


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One replacement in a sample, and every fault that follows from it, one a line."""

    sample: str
    old: str
    new: str
    fault: str


class Fact(NamedTuple):
    topic: str
    """A module of `charts_py`, such as `checks/quotas`."""
    sentence: str
    rows: tuple[Row, ...]


def read_facts() -> Iterator[Fact]:
    for file in sorted(FAULTS.rglob("*.yaml")):
        topic = file.relative_to(FAULTS).with_suffix("").as_posix()
        for sentence, rows in _rows_by_sentence(file).items():
            yield Fact(topic, sentence, rows)


def _rows_by_sentence(file: Path) -> Mapping[str, tuple[Row, ...]]:
    """Read a file of facts, of which none stands twice."""
    source = read_source(file, file.name)
    assert source.faults == ()
    return msgspec.convert(source.content, dict[str, tuple[Row, ...]])


FACTS = tuple(read_facts())
ROWS = {
    f"{fact.topic}/{fact.sentence}/{number}": row
    for fact in FACTS
    for number, row in enumerate(fact.rows, start=1)
}


@pytest.mark.parametrize("topic", dict.fromkeys(fact.topic for fact in FACTS))
def test_a_replacement_in_a_sample_has_its_faults(faults_after: FaultsOf, topic: str) -> None:
    rows = {
        f"{fact.sentence}/{number}": row
        for fact in FACTS
        for number, row in enumerate(fact.rows, start=1)
        if fact.topic == topic
    }
    found = {name: faults_after(row.sample, (row.old, row.new)) for name, row in rows.items()}
    assert found == {name: with_lists(row.fault) for name, row in rows.items()}


def test_every_topic_is_a_module() -> None:
    topics = {fact.topic for fact in FACTS}
    assert [topic for topic in topics if not (CHARTS / f"{topic}.py").is_file()] == []


def test_every_fact_has_a_row() -> None:
    assert [fact for fact in FACTS if not fact.rows] == []


def test_every_row_is_of_a_sample() -> None:
    assert {name: row.sample for name, row in ROWS.items() if row.sample not in SAMPLES} == {}


def test_every_old_text_stands_once_in_its_sample(sample: Sample) -> None:
    counts = {name: sample(row.sample).count(row.old) for name, row in ROWS.items()}
    assert {name: count for name, count in counts.items() if count != 1} == {}


def test_no_replacement_stands_twice() -> None:
    first: dict[tuple[str, str, str], str] = {}
    again = {
        name: other
        for name, row in ROWS.items()
        if (other := first.setdefault((row.sample, row.old, row.new), name)) != name
    }
    assert again == {}


def test_no_fault_has_a_pattern_in_the_place_of_an_example() -> None:
    pattern = re.compile(r"allowed: \^|such as [^;]*, matching")
    assert [name for name, row in ROWS.items() if pattern.search(row.fault)] == []
