"""Which build of gpuplane is installed."""

import json
from collections.abc import Mapping
from importlib.metadata import Distribution

from gpuplane.versions.record import digest


def tool_digest(installed: Distribution) -> Mapping[str, str]:
    """Return what identifies a build: its commit, its archive, or the list of its files.

    Empty for an editable install, whose files may change at any time
    (https://packaging.python.org/en/latest/specifications/direct-url/).
    """
    match json.loads(installed.read_text("direct_url.json") or "{}"):
        case {"vcs_info": {"vcs": "git", "commit_id": str(commit)}}:
            return {"gitCommit": commit}
        case {"archive_info": {"hashes": {"sha256": str(sha256)}}}:
            return {"sha256": sha256}
        case {"dir_info": {"editable": True}}:
            return {}
    files = installed.read_text("RECORD")
    return {} if files is None else {"sha256": digest(files.encode())}
