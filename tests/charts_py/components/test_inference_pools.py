"""What pickers may read, beside the roles of their chart."""

from itertools import product
from pathlib import Path
from typing import Any

import yaml

from charts_py.components.inference_pools import INFERENCE_POOLS_DEFINITION
from charts_py.load import load_platform
from tests.charts_py.components.conftest import SAMPLES

_TEMPLATES = ("llm-d-router-gateway/templates/rbac.yaml", "routerlib/templates/_rbac.yaml")


def _rights(role: Any) -> set[tuple[str, ...]]:
    rules = (product(*map(rule.get, ("apiGroups", "resources", "verbs"))) for rule in role["rules"])
    return {right for rights in rules for right in rights}


def _roles(template: str) -> list[Any]:
    """Return the Roles of a template, whose rules hold no expressions."""
    plain = "\n".join(line for line in template.splitlines() if "{{" not in line)
    return [each for each in yaml.safe_load_all(plain) if each and each["kind"] == "Role"]


def test_a_picker_may_read_what_the_roles_of_its_pinned_chart_let_it_read(mirror: Path) -> None:
    files = [(mirror / "charts" / each).read_text("utf-8") for each in _TEMPLATES]
    of_chart = {right for file in files for role in _roles(file) for right in _rights(role)}
    assert INFERENCE_POOLS_DEFINITION.parts is not None
    parts = INFERENCE_POOLS_DEFINITION.parts(load_platform(SAMPLES / "serving.yaml", None))
    (role,) = (each for part in parts if part.objects for each in part.objects())
    assert _rights(role) == of_chart
