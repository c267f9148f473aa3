"""Writes what plans say of the examples: `python -m examples.plans`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from charts_py.objects.bundled_node import use_bundled_node
from examples.plans.example import PLAN, example_folders, planned

use_bundled_node()
for folder in example_folders():
    with TemporaryDirectory() as scratch:
        (folder / PLAN).write_text(planned(folder, Path(scratch)), encoding="utf-8")
