"""Who gives back what others lent: everybody, whatever their jobs say.

Volcano evicts no pod that says `volcano.sh/preemptable: "false"`, in an annotation or a label, and
none whose PodGroup does: neither for a queue that wants its own back nor for a higher priority. It
reads anything but a boolean as false. Its controller has a PodGroup inherit the annotations of
the pod, and of the Job, ReplicaSet, StatefulSet or DaemonSet that owns the pod, and a pod those of
its own Job. Its other keys are read by plugins that the scheduler is configured without:
`revocable-zone`, `jdb-min-available` and `jdb-max-unavailable` by `tdm`, `cooldown-time` by `cdp`.
Source: pkg/scheduler/api, pkg/scheduler/plugins, pkg/controllers/podgroup and pkg/controllers/job
of https://github.com/volcano-sh/volcano at v1.15.1.
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.volcano_queues.api import GROUP, JOB_GROUP, PREEMPTABLE
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX

_RULE = {
    "apiGroups": ["", "apps", "batch", JOB_GROUP, GROUP],
    "apiVersions": ["*"],
    "operations": ["CREATE", "UPDATE"],
    "resources": [
        "pods",
        "podgroups",
        "jobs",
        "replicasets",
        "statefulsets",
        "daemonsets",
        # Their annotations become those of their ReplicaSets.
        "deployments",
    ],
}
"""Where it is read."""


def _stated(where: str, which: str) -> str:
    return f'{which}.metadata.?{where}[?"{PREEMPTABLE}"].orValue("true")'


def _validation(where: str, called: str) -> dict[str, str]:
    now = _stated(where, "object")
    return {
        # Who releases the finalizers of what was there before updates it.
        "expression": f"(oldObject != null && {_stated(where, 'oldObject')} == {now})"
        f' || {now} == "true"',
        "messageExpression": f'"The {called} {PREEMPTABLE} is \\"" + {now}'
        ' + "\\", but what runs on GPUs that others lent gives them back. Set it to \\"true\\", or'
        ' leave it out."',
        "reason": "Forbidden",
    }


PREEMPTABLE_POLICY = Policy(
    name=f"preemptable.volcano.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule=_RULE,
    body={
        "validations": [_validation("annotations", "annotation"), _validation("labels", "label")]
    },
)
"""The policy, for the namespaces of teams."""
