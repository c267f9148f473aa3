"""What the controller of Argo Rollouts may do in the namespaces of teams, and read in all.

Its caches are of all namespaces, so that it reads all; it makes pods in those of teams alone.
"""

from collections.abc import Iterator
from importlib.resources import files

from charts_py.components.access import account_subject, cluster_role, role_binding
from charts_py.components.definition import Definition
from charts_py.metrics.table import load_table
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

ARGO_ROLLOUTS = "argo-rollouts"
"""Name of the component, its chart, its namespace and its service account."""
_IN_TEAMS, _AT_HOME = f"{ARGO_ROLLOUTS}-teams", f"{ARGO_ROLLOUTS}-own"
_ACCOUNT = account_subject(ARGO_ROLLOUTS, ARGO_ROLLOUTS)


def cluster_roles() -> Iterator[Document]:
    """Yield its roles, with who has them in all namespaces and in its own."""
    rules = load_table(files(__package__) / "rights.yaml")
    yield cluster_role(ARGO_ROLLOUTS, rules["everywhere"])
    yield role_binding(ObjectMeta(ARGO_ROLLOUTS), ARGO_ROLLOUTS, [_ACCOUNT])
    yield cluster_role(_AT_HOME, rules["at_home"])
    yield role_binding(ObjectMeta(_AT_HOME, ARGO_ROLLOUTS), _AT_HOME, [_ACCOUNT])
    yield cluster_role(_IN_TEAMS, rules["in_teams"])


def rights_in_teams(platform: Platform) -> Iterator[Document]:
    for each in platform.namespaces:
        yield role_binding(ObjectMeta(_IN_TEAMS, each.name), _IN_TEAMS, [_ACCOUNT])


ARGO_ROLLOUTS_ACCESS = Definition(
    name=f"{ARGO_ROLLOUTS}-access",
    description=__doc__,
    appears="where the cluster asks for Argo Rollouts",
    is_wanted=lambda platform: platform.cluster.serving.argo_rollouts is not None,
    fields=("serving.argoRollouts", "teams"),
    depends_on=(ARGO_ROLLOUTS, "team"),
    # The namespaces of teams come with the teams.
    wave=Wave.EXTENSIONS,
    namespace=ARGO_ROLLOUTS,
    objects=rights_in_teams,
)
