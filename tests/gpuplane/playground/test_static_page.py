"""What a page without a server has in it."""

import json
import re
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import msgspec
import pytest

from gpuplane.playground.answer import Answer
from gpuplane.playground.cluster_facts import PlaygroundFacts, playground_cluster
from gpuplane.playground.page import page_file
from gpuplane.playground.playground_answer import playground_answer
from gpuplane.playground.static_page import for_browser, read_pyodide, rules_archive
from policies.custom_rule import CustomRule
from tests.gpuplane.messages import message_of
from tests.gpuplane.playground.conftest import TODAY, Ask
from tests.gpuplane.playground.test_playground_answer import JOB

ANSWER = """
import sys
sys.path[:0] = sys.argv[1:3]
scope = {"facts": sys.argv[4]}
exec(sys.argv[3], scope)
assert scope["BrowserClusters"].answer.__code__.co_filename.startswith(sys.argv[1])
print(scope["clusters"].answer(sys.argv[5]))
"""


def _start() -> str:
    """Return what the page runs first, which keeps its clusters."""
    (start,) = re.findall("const START = `(.*?)`;", page_file("worker.js"), re.DOTALL)
    return str(start).replace("\nBrowserClusters(", "\nclusters = BrowserClusters(")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("archive") / "rules.zip"
    file.write_bytes(rules_archive())
    return file


def test_the_archive_answers_by_itself_as_the_server_does(
    archive: Path, tmp_path: Path, training_facts: PlaygroundFacts, training: Ask
) -> None:
    """Of what is installed, it has msgspec alone, as in a browser."""
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    facts = msgspec.json.encode([training_facts]).decode()
    question = json.dumps({"cluster": "training", "manifest": JOB})
    places = (str(archive), str(tmp_path))
    command = [sys.executable, "-I", "-S", "-c", ANSWER, *places, _start(), facts, question]
    answered = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    assert msgspec.json.decode(answered, type=Answer) == training(JOB)


def test_the_archive_is_the_same_for_the_same_sources(archive: Path) -> None:
    assert rules_archive() == archive.read_bytes()


def test_rules_in_cel_are_left_out_and_named(
    training_facts: PlaygroundFacts, training: Ask
) -> None:
    own = (CustomRule("ours", "true", message="Ours."),)
    settings = msgspec.structs.replace(training_facts.settings, own=own)
    facts = for_browser(replace(training_facts, settings=settings))
    assert facts == replace(training_facts, unjudged=("ours",))
    answer = playground_answer(playground_cluster(facts), JOB, None, TODAY)
    assert asdict(answer) == {**asdict(training(JOB)), "unjudged": ("ours",)}


def test_rules_of_the_clusters_that_run_its_jobs_are_named_as_well(
    training_facts: PlaygroundFacts,
) -> None:
    worker = replace(training_facts, unjudged=("theirs",))
    facts = replace(training_facts, workers=(worker,))
    answer = playground_answer(playground_cluster(facts), JOB, None, TODAY)
    assert answer.unjudged == ("theirs of training",)


INFO = {"abi_version": "2026_0", "arch": "wasm32", "python": "3.14.2"}
LOCK = {"info": INFO, "packages": {"numpy": {"file_name": "numpy.whl"}}}
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
WHEEL = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*RUNTIME, WHEEL):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    return tmp_path


def test_its_files_are_read_and_no_package_can_be_loaded(folder: Path) -> None:
    assert read_pyodide(folder) == {
        **{name: name.encode() for name in RUNTIME},
        "pyodide-lock.json": json.dumps({"info": INFO, "packages": {}}).encode(),
        "msgspec.whl": WHEEL.encode(),
    }


@pytest.mark.parametrize("name", [*RUNTIME, "pyodide-lock.json"])
def test_a_missing_file_of_the_package_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert message_of(FileNotFoundError, read_pyodide, folder) == (
        f"{folder}: no {name}; allowed: the npm package pyodide, as this has it: "
        "npm install pyodide@314.0.7"
    )


def test_a_wheel_for_another_pyodide_is_none(folder: Path) -> None:
    (folder / WHEEL).rename(folder / WHEEL.replace("2026_0", "2025_0"))
    assert message_of(FileNotFoundError, read_pyodide, folder) == (
        f"{folder}: no msgspec for this Pyodide; to get it: pip download msgspec --no-deps "
        "--only-binary :all: --python-version 3.14 --platform pyemscripten_2026_0_wasm32 "
        f"--dest {folder}"
    )
