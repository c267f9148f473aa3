"""The values of Kueue's chart, in which its whole configuration stands as one text."""

from typing import Any

from charts_py.cluster_file.queues import Queues
from charts_py.components.kueue.managed_kinds import MANAGED, by_framework, installed_kinds
from charts_py.components.kueue.resources import counted_resources
from charts_py.components.network_rules import WEBHOOK_PORT
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

REPOSITORY = "registry.k8s.io/kueue/kueue"


_CONFIGURATION: Document = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "kind": "Configuration",
    "health": {"healthProbeBindAddress": ":8081"},
    "metrics": {"bindAddress": ":8443", "enableClusterQueueResources": True},
    "webhook": {"port": WEBHOOK_PORT},
    "leaderElection": {"leaderElect": True, "resourceName": "c1f6bfd2.kueue.x-k8s.io"},
    "controller": {
        "groupKindConcurrency": {
            "Job.batch": 5,
            "Pod": 5,
            "Workload.kueue.x-k8s.io": 10,
            "LocalQueue.kueue.x-k8s.io": 5,
            "ClusterQueue.kueue.x-k8s.io": 5,
            "ResourceFlavor.kueue.x-k8s.io": 1,
        }
    },
    "clientConnection": {"qps": 300, "burst": 500},
    "manageJobsWithoutQueueName": True,
    "managedJobsNamespaceSelector": dict(TEAM_NAMESPACES),
    # It takes back what ended early, and lets run again uncounted what starts anew
    # (https://github.com/kubernetes-sigs/kueue/issues/14609).
    "featureGates": {"ReclaimablePods": False},
    "fairSharing": {
        "preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
    },
}
"""https://github.com/kubernetes-sigs/kueue, apis/config/v1beta2/configuration_types.go at v0.19.2;
ports, names and rates are those of the chart."""


def _configuration(platform: Platform, queues: Queues) -> Document:
    """Return the configuration; that of a manager of MultiKueue has only kinds that it installs.

    It watches each of them in every worker, and reaches none that lacks one
    (`updateConfigAndRefreshWatchers` in pkg/controller/admissionchecks/multikueue).
    """
    training = platform.cluster.training
    kinds = installed_kinds(training) if platform.workers else by_framework(MANAGED)
    return {
        **_CONFIGURATION,
        "integrations": {"frameworks": [kind.framework for kind in kinds]},
        "resources": counted_resources(platform),
        "waitForPodsReady": {
            "timeout": f"{queues.ready_minutes}m",
            "recoveryTimeout": f"{queues.recovery_minutes}m",
            "requeuingStrategy": {"backoffLimitCount": 5, "backoffMaxSeconds": 3600},
        },
        # A week, in which one can still see why a job waited.
        "objectRetentionPolicies": {"workloads": {"afterFinished": "168h"}},
    }


def kueue_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    configuration = _configuration(platform, platform.cluster.queues or Queues())
    return {
        "controllerManager": {
            # Nothing starts while none answers.
            "replicas": 2,
            "podDisruptionBudget": {"enabled": True},
            "manager": {
                "image": {
                    "repository": REPOSITORY,
                    "tag": f"v{locked_chart('kueue').chart_version}",
                    "pullPolicy": "IfNotPresent",
                },
            },
            **pull_secrets(platform.cluster.pull_secret_names),
        },
        "managerConfig": {"controllerManagerConfigYaml": to_yaml(configuration)},
    }
