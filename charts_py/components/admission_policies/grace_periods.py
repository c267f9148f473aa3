"""No pod of a team is deleted with more time to end than its template may state.

Whoever deletes a pod may name a period in which it keeps its GPUs. A later eviction names none, and
shortens none (`BeforeDelete` in https://github.com/kubernetes/kubernetes,
staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go at v1.37.1).
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.settings import Settings


def grace_periods(settings: Settings) -> Policy:
    """Return the policy, for the namespaces of teams."""
    most = settings.max_grace_period_seconds
    return Policy(
        name=f"grace-periods.{LABEL_PREFIX}",
        namespaces=TEAM_NAMESPACES,
        rule={
            "apiGroups": [""],
            "apiVersions": ["v1"],
            "operations": ["DELETE"],
            "resources": ["pods"],
        },
        body={
            "validations": [
                {
                    "expression": f"request.?options.?gracePeriodSeconds.orValue(0) <= {most}",
                    "message": f"a pod that is deleted has at most {most} seconds to end"
                    " (gracePeriodSeconds): until then it keeps its GPUs.",
                    "reason": "Forbidden",
                }
            ],
        },
    )
