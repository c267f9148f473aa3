"""Rows of tests that stand in YAML beside them."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml


def rows_beside(test: str, name: str) -> Callable[[str], pytest.MarkDecorator]:
    """Return what runs a test with each row of a section of the file `name`.

    The members of a row are arguments of the test; rows of a mapping have their names as ids.
    """
    sections = yaml.load(Path(test).with_name(name).read_bytes(), yaml.CSafeLoader)

    def each_row(section: str) -> pytest.MarkDecorator:
        rows = sections[section]
        ids = [*rows] if isinstance(rows, dict) else None
        rows = [*rows.values()] if isinstance(rows, dict) else rows
        names = tuple(rows[0])
        return pytest.mark.parametrize(names, [[*row.values()] for row in rows], ids=ids)

    return each_row
