"""Whether what a cluster adds is there."""

import re
from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem

_REFERENCE = r"[A-Za-z_][\w.]*:[A-Za-z_]\w*"


def check_extensions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a folder that is missing and a reference of the wrong form."""
    extensions = draft.cluster.extensions
    if extensions.manifests is not None and not (draft.directory / extensions.manifests).is_dir():
        shown = draft.directory / extensions.manifests
        yield Problem(("extensions", "manifests"), f"no folder {shown}", "a folder beside the file")
    for index, reference in enumerate(extensions.constructs):
        if not re.fullmatch(_REFERENCE, reference):
            path = ("extensions", "constructs", index)
            yield Problem(path, f'"{reference}" names no function', "module:function")
