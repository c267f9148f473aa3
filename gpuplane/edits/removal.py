"""Taking entries out of the text of a YAML file; comments stay."""

from gpuplane.edits.text_edit import TextEdit, as_lines
from gpuplane.edits.uneditable import UneditableError
from gpuplane.edits.yaml_entry import YamlEntry, entries

IN_BRACES = "a comment stands in braces"


def removal(entry: YamlEntry, taken: tuple[int, int] | None = None) -> TextEdit:
    """Return how an entry goes that is not the only one of its holder.

    Comments stay, but for those in the lines that it takes along. Raises UneditableError.
    """
    if entry.is_flow:
        return _removal_from_flow(entry)
    if not entry.begins_its_line:
        return _removal_behind_dash(entry)
    start, end = entry.lines
    first, last = taken or (end, end)
    comments = [*entry.comments(start, max(first, start)), *entry.comments(last, end)]
    kept = [f"{' ' * entry.indent}{comment}" for comment in comments]
    start = min(start, first)
    return TextEdit(start, end, as_lines(entry.text, start, kept))


def _removal_behind_dash(entry: YamlEntry) -> TextEdit:
    """Return how the first entry goes where the dash of what holds it is on its line."""
    later = (one for one in entries(entry.text, entry.holder) if one.start > entry.start)
    following = next(later, None)
    if following is None or not following.begins_its_line or entry.margin.strip(" -"):
        raise UneditableError("it does not begin its line")
    start, _ = following.lines
    comments = entry.comments(entry.start, start)
    if not comments:
        return TextEdit(entry.start, following.start, "")
    first, *rest = comments
    kept = (first, *(f"{' ' * entry.indent}{comment}" for comment in rest))
    return TextEdit(entry.start, start, as_lines(entry.text, 0, kept))


def _removal_from_flow(entry: YamlEntry) -> TextEdit:
    siblings = tuple(entries(entry.text, entry.holder))
    index = next(at for at, one in enumerate(siblings) if one.start == entry.start)
    if index + 1 < len(siblings):
        edit = TextEdit(entry.start, siblings[index + 1].start, "")
    else:
        edit = TextEdit(siblings[index - 1].end if index else entry.start, entry.end, "")
    if entry.comments(edit.start, edit.end):
        raise UneditableError(IN_BRACES)
    return edit
