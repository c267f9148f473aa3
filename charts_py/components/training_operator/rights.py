"""What the training operator may do in the namespaces of teams, and read in all.

Its caches are of all namespaces or of one, so that it reads all; it makes pods in those of teams
alone, and ends jobs there. What only MPIJobs need is left out where it runs none.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from charts_py.components.access import account_subject, cluster_role, role_binding
from charts_py.components.definition import Definition
from charts_py.metrics.table import read_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

TRAINING_OPERATOR = "training-operator"
"""Name of the component, and of its objects where there is one of a kind."""
NAMESPACE = "training-operator"
_IN_TEAMS = f"{TRAINING_OPERATOR}-jobs"
_ACCOUNT = account_subject(TRAINING_OPERATOR, NAMESPACE)


def runs_mpi_jobs(platform: Platform) -> bool:
    operator = platform.cluster.training.training_operator
    return operator is not None and operator.mpi_jobs


def cluster_roles(platform: Platform) -> Iterator[Document]:
    """Yield its role in all namespaces, with who has it, and its role in those of teams."""
    rules = _rules(mpi=runs_mpi_jobs(platform))
    yield cluster_role(TRAINING_OPERATOR, rules["everywhere"])
    yield role_binding(ObjectMeta(TRAINING_OPERATOR), TRAINING_OPERATOR, [_ACCOUNT])
    yield cluster_role(_IN_TEAMS, rules["in_teams"])


def rights_in_teams(platform: Platform) -> Iterator[Document]:
    for each in platform.namespaces:
        yield role_binding(ObjectMeta(_IN_TEAMS, each.name), _IN_TEAMS, [_ACCOUNT])


def _rules(*, mpi: bool) -> dict[str, Any]:
    jobs = ["pytorchjobs", "tfjobs", "xgboostjobs", *(["mpijobs"] if mpi else [])]
    table = read_table(
        files(__package__) / "rights.yaml",
        jobs=jobs,
        finalizers=[f"{each}/finalizers" for each in jobs],
        statuses=[f"{each}/status" for each in jobs],
    )
    return {
        place: table[place] + (table[f"mpi_{place}"] if mpi else [])
        for place in ("everywhere", "in_teams")
    }


TRAINING_OPERATOR_ACCESS = Definition(
    name=f"{TRAINING_OPERATOR}-access",
    description=__doc__,
    appears="where the cluster asks for the training operator",
    is_wanted=lambda platform: platform.cluster.training.training_operator is not None,
    fields=("training.trainingOperator", "teams"),
    depends_on=(TRAINING_OPERATOR, "team"),
    # The namespaces of teams come with the teams.
    wave=Wave.EXTENSIONS,
    namespace=NAMESPACE,
    objects=rights_in_teams,
)
