"""Has MkDocs build README.md as the home page, and links as they are on GitHub.

https://www.mkdocs.org/user-guide/configuration/#hooks
"""

import logging
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website.links import (
    CONTENTS,
    HOME,
    address_on_site,
    navigation,
    path_in_repository,
    with_links,
)

ROOT = Path(__file__).parents[1]
_log = logging.getLogger("mkdocs.hooks.links")  # what this one warns of fails a strict build


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    docs = Path(config.docs_dir)
    pages = navigation((docs / CONTENTS).read_text(encoding="utf-8"), docs)
    config.nav = [*pages, {"Repository": config.extra["repository"]}]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, HOME, abs_src_path=str(ROOT / "README.md")))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Return the page with its links as the site needs them; MkDocs checks those within docs/."""
    name = page.file.src_uri

    def address(link: str) -> str:
        target = path_in_repository(name, link)
        if not target.startswith("docs/") and not (ROOT / target).exists():
            _log.warning("%s links to %s, which does not exist", name, target)
        return address_on_site(name, target, config.extra["repository"])

    return with_links(markdown, address)
