"""The series that the platform's rules record."""

from __future__ import annotations

import re

from charts_py.metrics import recorded
from charts_py.metrics.recorded_series import RecordedSeries

SERIES = [each for each in vars(recorded).values() if isinstance(each, RecordedSeries)]


def test_every_series_is_listed_among_facts_or_figures() -> None:
    assert [*recorded.FACTS, *recorded.FIGURES] == SERIES


def test_no_name_is_given_twice() -> None:
    names = [each.name for each in SERIES]
    assert sorted(set(names)) == sorted(names)


def test_a_name_is_a_fact_or_says_level_metric_and_operation() -> None:
    form = re.compile(r"gpuplane_[a-z_]+|(node|gpu|pod|namespace|team|pool):gpuplane_[a-z_]+:\w+")
    assert [each.name for each in SERIES if not form.fullmatch(each.name)] == []


def test_the_level_of_a_figure_is_among_its_labels() -> None:
    level_labels = {"gpu": "UUID"}
    figures = [each for each in SERIES if ":" in each.name]
    levels = {each.name: each.name.partition(":")[0] for each in figures}
    assert [
        each.name
        for each in figures
        if level_labels.get(levels[each.name], levels[each.name]) not in each.labels
    ] == []
