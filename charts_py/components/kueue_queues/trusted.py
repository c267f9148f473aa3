"""Who may do past Kueue what a team may not, in CEL: as RBAC has it, so that nobody lists them.

Rights in all namespaces are those of controllers and of the platform's own people. The members of
a team and the service accounts in its namespaces have none: their roles are bound to these.
https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-authorizer-library

They stand in each expression that reads them, and not as variables of a policy, by which policies
can end an API server before Kubernetes 1.36: https://github.com/kubernetes/kubernetes/issues/135757
"""

from charts_py.components.kueue_queues.api import GROUP
from policies.in_cel.requests import IS_CREATED

IS_CONTROLLER = (
    "authorizer.group(request.resource.group).resource(request.resource.resource)"
    f'.check({IS_CREATED} ? "create" : "patch").allowed()'
)
"""Whether who asks may write such objects in every namespace.

One question, since an expression has the budget for two. Controllers of Kubernetes that make pods
may patch them, and not all of them update them
(https://github.com/kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy at
v1.37.1).
"""
MAY_ADMIT = (
    f'authorizer.group("{GROUP}").resource("workloads").subresource("status")'
    '.namespace(request.namespace).check("update").allowed()'
)
"""Whether who asks may let any job of the namespace start, as Kueue does."""
