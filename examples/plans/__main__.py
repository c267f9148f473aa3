"""Writes what is said of the examples: `python -m examples.plans`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from charts_py.objects.bundled_node import use_bundled_node
from examples.plans.example import PICTURE, example_folders, readme_picture, written

use_bundled_node()
for folder in example_folders():
    with TemporaryDirectory() as scratch:
        for name, text in written(folder, Path(scratch)).items():
            (folder / name).write_text(text, encoding="utf-8")
PICTURE.write_text(readme_picture(), encoding="utf-8")
