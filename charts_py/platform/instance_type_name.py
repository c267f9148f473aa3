"""Names of instance types that no table lists: their format, and typos that can be found."""

import re
from collections.abc import Iterator, Mapping

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.name_rule import NameRule, check_name
from gpus.catalog import Catalog
from gpus.label_value import MAX_LABEL_VALUE
from gpus.nearest import is_one_typo, nearest
from gpus.provider import Provider

_RULES: Mapping[Provider, NameRule] = {
    # https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html
    Provider.EKS: NameRule(
        "an instance type of eks",
        r"[a-z]+[0-9]+[a-z0-9]*(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*",
        MAX_LABEL_VALUE,
    ),
    # https://cloud.google.com/compute/docs/machine-resource#naming-convention
    Provider.GKE: NameRule(
        "an instance type of gke", r"[a-z]+[0-9]+[a-z0-9]*(-[a-z0-9]+)+", MAX_LABEL_VALUE
    ),
    # https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions
    Provider.AKS: NameRule(
        "an instance type of aks",
        r"Standard_[A-Z]+[0-9]+[A-Za-z0-9]*([_-][A-Za-z0-9]+)*",
        MAX_LABEL_VALUE,
    ),
}
"""Each name is a label value on its nodes."""

_WORD = "[A-Za-z]{5,}"
"""A word such as `xlarge` or `highgpu`. In what is shorter, as of g6 and g6e, one letter more is
another family."""


def instance_type_name_problems(
    path: FieldPath, provider: Provider, name: str, catalog: Catalog
) -> Iterator[Problem]:
    """Yield why an instance type that no table lists cannot have this name."""
    listed = catalog.instance_types[provider]
    problems = tuple(check_name(_RULES[provider], path, name))
    yield from problems
    known = {word for one in listed for word in re.findall(_WORD, one)}
    for word in re.findall(_WORD, name):
        if not problems and word not in known and any(is_one_typo(word, one) for one in known):
            what = f'"{name}": {provider} has no "{word}"'
            yield Problem(path, what, ", ".join(sorted(known)), nearest(name, listed))
