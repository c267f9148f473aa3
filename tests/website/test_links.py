"""Links lead to the same pages and files on the site as on GitHub, and the site has all pages."""

from pathlib import Path
from typing import Any

import pytest

from website.links import HOME, address_on_site, navigation, path_in_repository, with_links

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://git.example.com/gpuplane/"
LINKS = [
    ("index.md", "docs/eks.md", "eks.md"),
    ("index.md", "docs/policies/README.md", "policies/README.md"),
    ("index.md", "docs/pictures/overview.svg", "pictures/overview.svg"),
    ("index.md", "LICENSE", "https://git.example.com/gpuplane/blob/HEAD/LICENSE"),
    ("eks.md", "reference/hardware.md", "reference/hardware.md"),
    ("eks.md", "../README.md", "index.md"),
    ("eks.md", "../clusters", "https://git.example.com/gpuplane/blob/HEAD/clusters"),
    ("policies/README.md", "../admission.md", "../admission.md"),
    ("policies/README.md", "../../README.md", "../index.md"),
    (
        "policies/README.md",
        "../../clusters/eks.yaml",
        "https://git.example.com/gpuplane/blob/HEAD/clusters/eks.yaml",
    ),
]


@pytest.mark.parametrize(("page", "link", "expected"), LINKS)
def test_a_link_leads_to_a_page_or_to_the_repository(page: str, link: str, expected: str) -> None:
    assert address_on_site(page, path_in_repository(page, link), REPOSITORY) == expected


def test_anchors_other_sites_and_code_stay_as_they_are() -> None:
    page = "[a](b.md#c) [d](#e) [f](https://g.example.com/h) `[i](j)`\n```\n[k](l)\n```\n"
    assert with_links(page, lambda link: f"<{link}>") == page.replace("(b.md#c)", "(<b.md>#c)")


def test_every_page_is_in_the_navigation_once() -> None:
    docs = ROOT / "docs"
    found = navigation((docs / "contents.md").read_text(encoding="utf-8"), docs)
    pages = [page.relative_to(docs).as_posix() for page in docs.rglob("*.md")]
    assert sorted(_pages(found)) == sorted([HOME, *pages])


def _pages(navigation: Any) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    below = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for each in below for page in _pages(each)]


def test_sections_are_those_of_the_contents_and_rules_are_grouped_as_their_index_says(
    tmp_path: Path,
) -> None:
    for folder in ("policies", "lint-rules"):
        (tmp_path / folder).mkdir()
    index = "Text, [a](a.md).\n\nAsks:\n[c](c.md),\n[b](b.md).\n"
    (tmp_path / "policies" / "README.md").write_text(index)
    for name in ("b.md", "a.md", "a.svg"):
        (tmp_path / "lint-rules" / name).touch()
    started = "## Start\n\n- [d](d.md): d and\n  [e](r/e.md).\n\n"
    contents = f"# All\n\n[z](z.md)\n\n{started}## End\n\n- [f](f.md)\n"
    assert navigation(contents, tmp_path) == [
        {"Home": "index.md"},
        {"Where to start": "contents.md"},
        {"Start": ["d.md", "r/e.md"]},
        {"End": ["f.md"]},
        {
            "Rules": [
                {"Asks": ["policies/c.md", "policies/b.md"]},
                {"Of the linter alone": ["lint-rules/a.md", "lint-rules/b.md"]},
            ]
        },
    ]
