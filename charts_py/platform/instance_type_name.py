"""Names of instance types that no table lists: their format, and typos that can be found."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.name_rule import NameRule, check_name
from gpus.catalog import Catalog
from gpus.label_value import MAX_LABEL_VALUE
from gpus.nearest import is_one_typo, nearest
from gpus.provider import Provider

_WORD = "[A-Za-z]{5,}"
"""A word such as `xlarge` or `highgpu`. In what is shorter, as of g6 and g6e, one letter more is
another family."""


def instance_type_name_problems(
    path: FieldPath, provider: Provider, name: str, catalog: Catalog
) -> Iterator[Problem]:
    """Yield why an instance type that no table lists cannot have this name."""
    listed, pattern = catalog.instance_types[provider], catalog.offers[provider].name_pattern
    # Each name is a label value on its nodes.
    rule = NameRule(f"an instance type of {provider}", pattern, MAX_LABEL_VALUE)
    problems = tuple(check_name(rule, path, name))
    yield from problems
    known = {word for one in listed for word in re.findall(_WORD, one)}
    for word in re.findall(_WORD, name):
        if not problems and word not in known and any(is_one_typo(word, one) for one in known):
            what = f'"{name}": {provider} has no "{word}"'
            yield Problem(path, what, ", ".join(sorted(known)), nearest(name, listed))
