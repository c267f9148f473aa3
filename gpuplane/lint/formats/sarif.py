"""Findings as SARIF 2.1.0, which code scanning reads.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from gpuplane.lint.finding import LintFinding
from gpuplane.lint.registry import RuleFacts
from gpuplane.lint.report import LintReport, fingerprints

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_FINGERPRINT = "gpuplane/v1"
"""A new version where the same finding would get another one."""


def to_sarif(report: LintReport, rules: Mapping[str, RuleFacts], version: str) -> str:
    """Return one run with the rules that have findings; severities are levels of the same name.

    `rules` by name; a rule that is not among them, as a platform team's own, has its name alone.
    """
    named = sorted({finding.rule for finding in report.findings})
    indices = {name: index for index, name in enumerate(named)}
    keys = fingerprints(report.findings)
    run = {
        "tool": {
            "driver": {
                "name": "gpuplane",
                "version": version,
                "rules": [_rule(name, rules.get(name)) for name in named],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, indices[finding.rule], key)
            for finding, key in zip(report.findings, keys, strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(name: str, facts: RuleFacts | None) -> dict[str, Any]:
    if facts is None:
        return {"id": name}
    return {
        "id": name,
        "shortDescription": {"text": facts.summary},
        "helpUri": facts.page,
        "help": {"text": facts.summary, "markdown": facts.text},
    }


def _result(finding: LintFinding, index: int, key: str) -> dict[str, Any]:
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(finding.start.file)},
            "region": {
                "startLine": finding.start.line,
                "startColumn": finding.start.column,
                "endLine": finding.end.line,
                "endColumn": finding.end.column,
            },
        }
    }
    if finding.subject:
        name = f"{finding.subject}{finding.pointer}"
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "object"}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": finding.full_message},
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: key},
    }


def _uri(file: str) -> str:
    """Return a file as a URI; code scanning takes one without a scheme from the repository's root.

    https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning#relative-uri-guidance-for-sarif-producers
    """
    path = PurePosixPath(file)
    return path.as_uri() if path.is_absolute() else quote(bytes(path))
