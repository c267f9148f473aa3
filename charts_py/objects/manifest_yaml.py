"""Writing and reading manifests as YAML."""

from typing import Any

import yaml

from charts_py.objects.document import Document
from charts_py.spec.plain_text import LIKE_ANOTHER_TYPE


class _ManifestDumper(yaml.CSafeDumper):
    """Writes strings of several lines as blocks, and never writes anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 # the signature is PyYAML's
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and not text.isspace() else None
    if style is None and LIKE_ANOTHER_TYPE.match(text):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_ManifestDumper.add_representer(str, _represent_text)


def to_yaml(document: Document) -> str:
    """Return the document as YAML, its keys in their order."""
    return yaml.dump(
        document,
        Dumper=_ManifestDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=2**16,
    )


def from_yaml(text: str) -> list[Document]:
    """Return the documents in a string of YAML, without empty ones."""
    return [document for document in yaml.load_all(text, Loader=yaml.CSafeLoader) if document]
