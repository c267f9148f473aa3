"""The pods of services always start again, and those of jobs do not.

https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/apps/validation/validation.go and
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/batch/validation/validation.go
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.refusals.whole_pod import is_whole_pod
from gpuplane.lint.template_rule import TemplateFinding
from policies.document import members, shown, text
from policies.workloads.place import at
from policies.workloads.workload_kind import WorkloadKind

_ALWAYS = "Always"
_OF_JOBS = ("Never", "OnFailure")


def wrong_restart_policy(document: Document, known: WorkloadKind) -> Iterator[TemplateFinding]:
    """Find a policy that the API server refuses in a kind of `apps` or `batch`.

    Where none is stated, it is Always, which no job can have.
    """
    allowed = _OF_JOBS if known.group == "batch" else (_ALWAYS,)
    for pointer, template in (found for place in known.templates for found in at(document, place)):
        stated = text(members(members(template).get("spec")).get("restartPolicy"))
        policy = stated or (_ALWAYS if is_whole_pod(template) else allowed[0])
        if policy not in allowed and not is_placeholder(stated):
            default = "" if stated else ", which it is where none is stated"
            yield TemplateFinding(
                f"{pointer}/spec/restartPolicy",
                f"The restartPolicy of a {known.kind} is {' or '.join(allowed)}; the API server "
                f"refuses {shown(policy)}{default}.",
                f"Set it to {' or '.join(allowed)}.",
            )
