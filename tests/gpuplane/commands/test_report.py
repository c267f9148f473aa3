import shutil
from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

SAMPLE = Path(__file__).parents[2] / "charts_py" / "samples" / "queues.yaml"

pytestmark = pytest.mark.usefixtures("lab")


def test_a_page_is_one_document_of_html(in_repository: Run) -> None:
    printed = in_repository.printed("report", "--as-of", "2027-03-01", "--file", "-")
    assert printed.startswith("<!doctype html>\n")
    assert printed.endswith("</html>\n")


def test_the_page_is_a_file_and_its_name_is_told(
    in_repository: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = in_repository("report", "--as-of", "2027-03-01")
    assert (done.stdout, done.stderr) == ("", "wrote report.html; open it in a browser\n")
    page = in_repository.printed("report", "--as-of", "2027-03-01", "--file", "-")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page


def test_a_report_has_numbers_and_the_sections(in_repository: Run) -> None:
    report = in_repository.report("report", "lab", "--as-of", "2027-03-01")
    assert (report["kind"], report["asOf"]) == ("FleetReport", "2027-03-01")
    (cluster,) = report["clusters"]
    assert (cluster["cluster"], cluster["gpusAtMost"]["now"]) == ("lab", 64.0)
    assert [each["name"] for each in report["sections"][:2]] == ["differences", "versions"]


def test_markdown_has_the_first_sentence_as_its_heading(in_repository: Run) -> None:
    printed = in_repository.printed("report", "--as-of", "2027-03-01", "-o", "markdown")
    assert printed.startswith("# Nothing that runs is touched.\n")


def test_a_file_that_is_not_rendered_is_shown_as_it_renders(
    in_repository: Run, tmp_path: Path
) -> None:
    answer = in_repository.report("report", "--as-of", "2027-03-01")["answer"]
    assert (answer["about"], answer["detail"]) == (
        "What merging does, to 1 of 1 cluster",
        (
            "lab is not rendered as clusters/ has it now: this is what gpuplane synth lab would "
            "change. This compares what is live with what is rendered; --base REF compares with "
            "git."
        ),
    )
    assert not (tmp_path / "dist").exists()


def test_the_page_is_the_same_wherever_the_repository_stands(run: Run, tmp_path: Path) -> None:
    pages = []
    for name in ("here", "there"):
        (clusters := tmp_path / name / "clusters").mkdir(parents=True)
        shutil.copyfile(SAMPLE.with_name("onprem.yaml"), clusters / "lab.yaml")
        done = run("-C", tmp_path / name, "report", "--as-of", "2027-03-01", "-o", "markdown")
        assert str(tmp_path) not in done.stdout
        pages.append(done.stdout)
    assert "clusters/lab.yaml:" in pages[0]
    assert pages[0] == pages[1]


def test_no_page_is_written_by_a_link_out_of_the_repository(
    in_repository: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, theirs = tmp_path / "here", tmp_path / "theirs"
    (here / ".git").mkdir(parents=True)
    (here / "report.html").symlink_to(theirs)
    theirs.write_text("theirs")
    monkeypatch.chdir(here)
    done = in_repository("report", "--as-of", "2027-03-01")
    assert (done.exit_code, done.stdout, theirs.read_text()) == (3, "", "theirs")
    assert done.stderr == (
        f"{here}/report.html: is a link to {theirs}, which is outside of the repository; allowed: "
        "a link to what is in the repository\n"
    )
