import pytest

from tests.e2e.folders import REPOSITORY

pytest_plugins = ["pytester"]

CONFTEST = """
from dataclasses import replace
import pytest
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.evidence.pages import PAGES
from tests.e2e.evidence.recorder import EvidenceRecorder
from tests.e2e.selection import MORE, USUAL

def pytest_configure(config):
    root = config.rootpath
    for page in PAGES:
        kept = replace(page, file=root / page.file.name)
        config.pluginmanager.register(EvidenceRecorder(root, root, kept))

def pytest_collection_modifyitems(items):
    for item in items:
        if not item.get_closest_marker(MORE):
            item.add_marker(MORE if "more" in item.path.parts else USUAL)

@pytest.fixture
def evidence(request):
    return Evidence(request.node.user_properties)
"""
TESTS = """
import pytest

@pytest.mark.parametrize("count", [8, 56])
def test_a_node_is_full(evidence, count):
    evidence.show("A node holds what its pool says.", f"{count} pods")

@pytest.mark.parametrize("count", [8, 56])
@pytest.mark.xfail(strict=True, reason="nobody refuses it")
def test_the_next_is_refused(evidence, count):
    assert False

def test_that_shows_nothing():
    pass
"""


@pytest.fixture
def room(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Stand in a folder of tests that is not yet proven."""
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    pytester.makeconftest(CONFTEST)
    pytester.mkdir("releases")
    pytester.makepyfile(**{"releases/test_nodes": TESTS})
    (pytester.path / "evidence.md").write_text("# Before\n")
    return pytester


WORKERS = ("-n", "2", "--dist", "loadfile")


@pytest.mark.parametrize("workers", [(), WORKERS], ids=["alone", "side by side"])
def test_a_run_of_the_whole_room_writes_what_it_showed(
    room: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    page = room.path / "evidence.md"
    first, second = (room.runpytest_subprocess("-q", *workers).outlines for _ in range(2))
    link = "[`{}`](../tests/e2e/releases/test_nodes.py)".format
    assert [line for line in page.read_text().splitlines() if line.startswith(("## ", "|"))] == [
        "## The whole of dist/ applies",
        "| Claim | Measured | Test |",
        "|---|---|---|",
        f"| A node holds what its pool says. | 8 pods | {link('test_a_node_is_full')} |",
        f"| A node holds what its pool says. | 56 pods | {link('test_a_node_is_full')} |",
        "## What does not hold",
        "| Test | Why |",
        "|---|---|",
        f"| {link('test_the_next_is_refused')} | nobody refuses it |",
    ]
    folder = room.path.name
    assert f"{folder}/evidence.md has changed" in first
    assert f"{folder}/evidence.md is unchanged" in second


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "8 or next or nothing"],
        ["-k", "8 or next or nothing", *WORKERS],
        ["releases/test_nodes.py::test_that_shows_nothing"],
    ],
    ids=["selected", "selected, side by side", "named"],
)
def test_a_run_of_a_part_leaves_the_page(room: pytest.Pytester, arguments: list[str]) -> None:
    said = room.runpytest_subprocess("-q", *arguments).outlines
    assert (room.path / "evidence.md").read_text() == "# Before\n"
    assert f"{room.path.name}/evidence.md is as it was: not every test ran and passed" in said


MORE = """
def test_a_pool_has_nodes(evidence):
    evidence.show("Karpenter makes nodes.", "4 nodes")
"""


def test_each_page_waits_for_its_own_tests_alone(room: pytest.Pytester) -> None:
    room.mkdir("more").joinpath("karpenter").mkdir()
    room.makepyfile(**{"more/karpenter/test_pools": MORE})
    said = room.runpytest_subprocess("-q", "--deselect", "more").outlines
    assert f"{room.path.name}/evidence.md has changed" in said
    assert not (room.path / "evidence-more.md").exists()
    said = room.runpytest_subprocess("-q", "more").outlines
    assert f"{room.path.name}/evidence-more.md has changed" in said
    rows = (room.path / "evidence-more.md").read_text().splitlines()
    link = "[`test_a_pool_has_nodes`](../tests/e2e/more/karpenter/test_pools.py)"
    assert rows[-1] == f"| Karpenter makes nodes. | 4 nodes | {link} |"


ON_BOTH = """
import pytest

@pytest.mark.parametrize("version", ["1.37", pytest.param("1.33", marks=pytest.mark.e2e_more)])
def test_a_quota_holds(evidence, version):
    evidence.show("A quota holds.", version)

def test_that_needs_no_control_plane():
    pass
"""


@pytest.mark.parametrize(
    ("selection", "page"),
    [("not e2e_more", "evidence.md"), ("e2e_more", "evidence-more.md")],
    ids=["newest", "oldest"],
)
def test_a_run_on_one_of_two_versions_is_whole_for_its_page(
    room: pytest.Pytester, selection: str, page: str
) -> None:
    room.mkdir("claims")
    room.makepyfile(**{"claims/test_quota": ON_BOTH})
    said = room.runpytest_subprocess("-q", "-m", selection).outlines
    assert f"{room.path.name}/{page} has changed" in said


def test_what_runs_on_two_versions_stands_on_each_page_as_of_its_own(room: pytest.Pytester) -> None:
    room.mkdir("claims")
    room.makepyfile(**{"claims/test_quota": ON_BOTH})
    room.runpytest_subprocess("-q")
    link = "[`test_a_quota_holds`](../tests/e2e/claims/test_quota.py)"
    assert [
        line
        for page in ("evidence.md", "evidence-more.md")
        for line in (room.path / page).read_text().splitlines()
        if "A quota holds" in line
    ] == [f"| A quota holds. | 1.37 | {link} |", f"| A quota holds. | 1.33 | {link} |"]


@pytest.mark.parametrize("end", ["assert False", "pytest.skip('no mirror')"])
def test_a_run_that_fails_or_skips_leaves_the_page(room: pytest.Pytester, end: str) -> None:
    room.makepyfile(test_more=f"import pytest\ndef test_more():\n    {end}\n")
    room.runpytest_subprocess("-q")
    assert (room.path / "evidence.md").read_text() == "# Before\n"
