"""Why a file that is called JSON is none."""

import json

from charts_py.cluster_file.fault import Fault, Mark, Problem

_JSON = ".json"


def json_fault(content: bytes, shown_as: str) -> Fault | None:
    """Return the fault of a file whose name ends in `.json`, which may be YAML of another meaning.

    None of others, and where YAML says more: of other encodings, and of nesting too deep to read.
    """
    if not shown_as.endswith(_JSON) or not content.strip():
        return None
    try:
        json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        mark = Mark(shown_as, error.lineno, error.colno)
        return Fault(mark, Problem((), f"invalid JSON: {error.msg}"))
    except (UnicodeDecodeError, RecursionError):
        return None
    return None
