"""The rules that a file keeps or breaks before anything in it is judged."""

from enum import StrEnum


class ReadingRule(StrEnum):
    """What keeps a manifest, or a part of it, from being judged."""

    UNREADABLE_FILE = "unreadable-file"
    TEMPLATE = "template"
    MALFORMED_MANIFEST = "malformed-manifest"
    UNREAD_PART = "unread-part"
    UNFILLED_PLACEHOLDER = "unfilled-placeholder"
    IGNORE_COMMENT = "ignore-comment"
    ACKNOWLEDGEMENT = "acknowledgement"

    @property
    def summary(self) -> str:
        """A full sentence: what is true of a file that passes."""
        return _SUMMARIES[self]


_SUMMARIES = {
    ReadingRule.UNREADABLE_FILE: "The file can be opened and is YAML or JSON in UTF-8.",
    ReadingRule.TEMPLATE: "The file holds manifests, not a template that renders them.",
    ReadingRule.MALFORMED_MANIFEST: "Each document is an object that an API server can read.",
    ReadingRule.UNREAD_PART: "Metadata and pod templates have the types of the Kubernetes API.",
    ReadingRule.UNFILLED_PLACEHOLDER: "Values that the rules judge are filled in.",
    ReadingRule.IGNORE_COMMENT: "Comments ignore rules that find something, and say why.",
    ReadingRule.ACKNOWLEDGEMENT: "Acknowledged findings are still there, and unchanged.",
}
