import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.components.component import Component
from charts_py.components.custom_constructs import CUSTOM_CONSTRUCTS, local_modules
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.on_premises import ON_PREMISES

_MODULE = """
from cdk8s import ApiObject, ApiObjectMetadata

def node_notes(scope, platform):
    from wording import WORD
    metadata = ApiObjectMetadata(name=f"{platform.name}-{WORD}", namespace="default")
    ApiObject(scope, "notes", api_version="v1", kind="ConfigMap", metadata=metadata)

def broken(scope, platform):
    raise ValueError("no rack is free")

def _hidden(scope, platform):
    pass
"""


@pytest.fixture
def plan(platform_of: Load, tmp_path: Path) -> Callable[..., list[Component]]:
    """Return the function that plans the constructs of a cluster with some modules beside it."""
    files = {
        "extra.py": _MODULE,
        "wording.py": "WORD = 'notes'",
        "faulty.py": "\n\nimport not_installed_anywhere",
        "wrong.py": "1 / 0",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def plan_references(*references: str) -> list[Component]:
        quoted = ", ".join(f'"{reference}"' for reference in references)
        platform = platform_of(f"{ON_PREMISES}extensions: {{constructs: [{quoted}]}}\n")
        return list(CUSTOM_CONSTRUCTS.plan(platform))

    return plan_references


_Plan = Callable[..., list[Component]]


def test_a_function_adds_its_objects_to_a_component_of_its_name(
    plan: _Plan, documents_of_component: DocumentsOf
) -> None:
    (component,) = plan("extra:node_notes")
    assert (component.name, component.wave) == ("node-notes", Wave.EXTENSIONS)
    assert documents_of_component(component) == (
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "sample-notes", "namespace": "default"},
        },
    )


def test_what_a_function_raises_is_told_with_its_line(
    plan: _Plan, documents_of_component: DocumentsOf, tmp_path: Path
) -> None:
    (component,) = plan("extra:broken")
    with pytest.raises(SpecError) as error:
        documents_of_component(component)
    assert str(error.value) == (
        f'{tmp_path}/sample.yaml:9: extensions.constructs[0]: "extra:broken": '
        f"raised ValueError at {tmp_path}/extra.py:10: no rack is free"
    )
    assert isinstance(error.value.__cause__, ValueError)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (
            "extras:add",
            "no module extras; allowed: one in {directory}, or installed; nearest: extra",
        ),
        (
            "extra.deep:add",
            "no module extra.deep; allowed: one in {directory}, or installed; nearest: extra",
        ),
        (
            "extra:node_note",
            "extra has no function node_note; allowed: broken, node_notes; nearest: node_notes",
        ),
        ("wording:WORD", "wording has no function WORD; allowed: none, it defines no function"),
        (
            "faulty:add",
            (
                "raised ModuleNotFoundError at {directory}/faulty.py:3: "
                "No module named 'not_installed_anywhere'"
            ),
        ),
        ("wrong:add", "raised ZeroDivisionError at {directory}/wrong.py:1: division by zero"),
    ],
)
def test_a_reference_that_leads_nowhere_is_an_error(
    plan: _Plan, tmp_path: Path, reference: str, expected: str
) -> None:
    with pytest.raises(SpecError) as error:
        plan("extra:node_notes", reference)
    what = expected.format(directory=tmp_path)
    place = f"{tmp_path}/sample.yaml:9: extensions.constructs[1]"
    assert str(error.value) == f'{place}: "{reference}": {what}'


def test_two_functions_of_one_name_are_an_error(plan: _Plan, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as error:
        plan("extra:node_notes", "wording:node_notes")
    assert str(error.value) == (
        f'{tmp_path}/sample.yaml:9: extensions.constructs[1]: "wording:node_notes": '
        'its component would be named "node-notes" as that of "extra:node_notes"; allowed: '
        "another name of the function"
    )


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _value(directory: Path, module: str) -> object:
    with local_modules(directory):
        return importlib.import_module(module).VALUE


def test_each_folder_has_its_own_module_of_a_name(tmp_path: Path) -> None:
    for cluster in ("a", "b"):
        _write(tmp_path / cluster / "shared.py", f"VALUE = '{cluster}'")
        _write(tmp_path / cluster / "extra.py", "from shared import VALUE")
    assert [_value(tmp_path / cluster, "extra") for cluster in ("a", "b")] == ["a", "b"]


def test_a_module_in_a_folder_is_found_with_or_without_an_init_file(tmp_path: Path) -> None:
    _write(tmp_path / "plain" / "extra.py", "VALUE = 1")
    _write(tmp_path / "package" / "__init__.py", "VALUE = 2")
    _write(tmp_path / "package" / "extra.py", "from . import VALUE")
    assert _value(tmp_path, "plain.extra") == 1
    assert _value(tmp_path, "package.extra") == 2


def test_a_module_precedes_an_installed_one_of_its_name_only_meanwhile(tmp_path: Path) -> None:
    _write(tmp_path / "json.py", "VALUE = 'mine'")
    assert _value(tmp_path, "json") == "mine"
    assert sys.modules["json"] is json


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    _write(tmp_path / "extra.py", "VALUE = 1")
    before = (list(sys.path), set(sys.modules), sys.dont_write_bytecode)
    _value(tmp_path, "extra")
    assert (list(sys.path), set(sys.modules), sys.dont_write_bytecode) == before
    assert [path.name for path in tmp_path.iterdir()] == ["extra.py"]
