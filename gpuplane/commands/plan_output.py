"""How `gpuplane plan` prints what it found, and keeps it in a comment."""

from typing import TYPE_CHECKING

from gpuplane.document import DocumentOutput, show_table
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import print_styled, print_text

if TYPE_CHECKING:
    from gpuplane.plan.part import Part
    from gpuplane.plan.plan import ClusterPlan, Plan

_STYLES = {"+": "green", "-": "red", "~": "yellow", "$": "cyan"}


def print_plan(found: "Plan", output: DocumentOutput) -> None:
    """Print a plan in the form that is asked for."""
    _PRINTERS[output](found)


def keep_comment(found: "Plan") -> None:
    """Keep a plan in the one comment on the pull request, and its verdict in a label."""
    import os

    from gpuplane.plan.markdown_format import MAX_CHARACTERS, to_markdown
    from gpuplane.pull_request.environment import pull_request_of
    from gpuplane.pull_request.pull_request import (
        MARKER_LENGTH,
        hide_comment,
        keep_comment as keep,
        keep_label,
    )

    pull_request = pull_request_of(os.environ)
    body = to_markdown(found, MAX_CHARACTERS - MARKER_LENGTH)
    if found.clusters:
        keep(pull_request, body)
        keep_label(pull_request, found.verdict.word)
    else:
        hide_comment(pull_request, body)
        keep_label(pull_request, None)


def _print_json(found: "Plan") -> None:
    from gpuplane.plan.json_format import plan_fields

    print_report(ReportKind.PLAN, plan_fields(found))


def _print_markdown(found: "Plan") -> None:
    from gpuplane.plan.markdown_format import to_markdown

    print_text(to_markdown(found))


def _print_text(found: "Plan") -> None:
    from gpuplane.plan.headline import headline
    from gpuplane.plan.plan_parts import parts

    print_styled(headline(found), "bold")
    for each in found.clusters:
        _print_cluster(each)
        for part in parts(each, found.base):
            _print_part(part)
    if found.unchanged:
        print_styled(f"\nUnchanged: {', '.join(found.unchanged)}.")


def _print_cluster(each: "ClusterPlan") -> None:
    from gpuplane.plan.headline import sentence, versions

    print_styled(f"\n{versions(each)}", "bold")
    print_styled(sentence([each]))
    for why in each.not_known:
        print_styled(why)


def _print_part(part: "Part") -> None:
    from gpuplane.plan.part import object_lines

    print_styled(f"\n{part.title}", "bold")
    for objects in part.objects:
        for line in object_lines(objects):
            print_styled(line, _STYLES.get(line[:1]))
    for table in part.tables:
        show_table(table)
    for note in part.notes:
        print_styled(note)
    for command in part.commands:
        print_styled(f"$ {command}", _STYLES["$"])


_PRINTERS = {
    DocumentOutput.TEXT: _print_text,
    DocumentOutput.MARKDOWN: _print_markdown,
    DocumentOutput.JSON: _print_json,
}
