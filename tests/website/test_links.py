"""Links lead to the same pages and files on the site as on GitHub, and the site has all pages."""

import re
from pathlib import Path
from typing import Any

import pytest

from website.links import address_on_site, path_in_repository, with_links, with_pages

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
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    listed = re.findall(r"^ +- (?:Home: )?(\S+\.md)$", navigation, re.MULTILINE)
    folders = re.findall(r"^ +- (?:[\w ]+: )?(\S+/)(?= |$)", navigation, re.MULTILINE)
    below = _pages([with_pages(folder, ROOT / "docs") for folder in folders])
    assert sorted([*listed, *below]) == sorted(["index.md", *pages])


def _pages(navigation: Any) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    below = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for each in below for page in _pages(each)]


def test_the_index_of_a_folder_groups_its_pages(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Text, [a](a.md).\n\nAsks:\n[c](c.md),\n[b](b.md).\n")
    assert with_pages(["d.md", "./"], tmp_path) == ["d.md", {"Asks": ["./c.md", "./b.md"]}]


def test_a_folder_in_the_navigation_stands_for_its_pages(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "a.svg"):
        (tmp_path / "rules").mkdir(exist_ok=True)
        (tmp_path / "rules" / name).touch()
    navigation = [{"Home": "index.md"}, {"Rules": ["c.md", {"Of the linter": "rules/"}]}]
    assert with_pages(navigation, tmp_path) == [
        {"Home": "index.md"},
        {"Rules": ["c.md", {"Of the linter": ["rules/a.md", "rules/b.md"]}]},
    ]
