"""Every page of the documentation is there to be printed, in a checkout and from a wheel."""

import pytest
from typer.testing import CliRunner

from gpuplane.application import create_application
from gpuplane.pages import page_names, page_text, pages_folder
from gpuplane.versions.tree import DistError


@pytest.mark.parametrize("name", ["plan", "plan.md", "docs/plan.md", "docs/plan.md#verdicts"])
def test_a_page_has_the_name_that_links_give_it(name: str) -> None:
    assert page_text(name) == (pages_folder() / "plan.md").read_text(encoding="utf-8")


def test_pages_are_listed_before_those_in_folders() -> None:
    names = page_names()
    assert names[:2] == ("admission", "adopting")
    assert {"reference/cluster-file", "policies/shared-memory", "lint-rules/blocked-drain"} <= {
        *names
    }


@pytest.mark.parametrize(("name", "page"), [("plann", "plan"), ("MIG", "sharing")])
def test_an_unknown_page_is_refused_with_the_nearest_one(name: str, page: str) -> None:
    with pytest.raises(DistError) as error:
        page_text(name)
    assert str(error.value) == (
        f'unknown page "{name}"; allowed: one that `gpuplane docs` lists; nearest: {page}'
    )


def test_the_contents_are_printed_where_no_page_is_named() -> None:
    result = CliRunner().invoke(create_application(), ["docs"])
    assert (result.exit_code, result.stdout) == (0, page_text("contents"))


def test_a_cluster_file_to_begin_from_is_printed_as_it_is() -> None:
    name = "large-clusters/eks-p5en.yaml"
    result = CliRunner().invoke(create_application(), ["docs", name])
    assert result.stdout == (pages_folder() / name).read_text(encoding="utf-8")
