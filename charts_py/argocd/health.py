"""The health checks by which sync waves wait for Applications, and not for nodes that are down."""

from collections.abc import Iterable

from charts_py.objects.document import Document
from charts_py.platform.wave import SYNC_OPTIONS, SYNC_WAVE, Wave

APPLICATION_KEY = "resource.customizations.health.argoproj.io_Application"
"""Its key in the ConfigMap `argocd-cm`."""
# What an Application reports may be older than its spec: right after a new version is applied it
# is still healthy from the old one. Applications that a person syncs need only the first check.
# Every component prunes last: one that waits for a person to confirm it has synced everything else.
# Its message: https://github.com/argoproj/argo-cd/blob/v3.5.7/gitops-engine/pkg/sync/sync_context.go
_APPLICATION_LUA = """\
local function progressing(message)
  return {status = "Progressing", message = message}
end

local function is_same(a, b)
  return a ~= nil and b ~= nil and a.repoURL == b.repoURL and a.path == b.path
    and a.chart == b.chart and a.targetRevision == b.targetRevision
end

local function waits_for_confirmation(message)
  -- No string library is open here; in order, "!" comes right after the space.
  return message >= "waiting for pruning confirmation of "
    and message < "waiting for pruning confirmation of!"
end

local spec, status = obj.spec, obj.status or {}
if status.health == nil or status.health.status == nil then
  return progressing("waits for its first comparison")
end

local sync = status.sync or {}
if spec.source ~= nil and not is_same((sync.comparedTo or {}).source, spec.source) then
  return progressing("waits for a comparison with its new source")
end

local operation = status.operationState or {}
if operation.phase == "Running" and not waits_for_confirmation(operation.message or "") then
  return progressing("syncs")
end

local automated = (spec.syncPolicy or {}).automated
if automated ~= nil and automated.enabled ~= false and sync.status == "OutOfSync" then
  if operation.phase == "Failed" or operation.phase == "Error" then
    return {status = "Degraded", message = operation.message or "its sync failed"}
  end
  local synced = (operation.syncResult or {}).source
  if spec.source ~= nil and not is_same(synced, spec.source) then
    return progressing("waits for a sync of its new source")
  end
end

return {status = status.health.status, message = status.health.message or ""}
"""

DAEMON_SET_KEY = "resource.customizations.health.apps_DaemonSet"
"""Its key in the ConfigMap `argocd-cm`."""
# A node that is down does not hold a sync, a broken daemon does. The pod of such a node is desired
# and never available, so that Argo CD's own check would call the DaemonSet Progressing until the
# node is repaired: no wave after it would start, and nothing could be promoted or rolled back. An
# annotation on the DaemonSet would not do, since a sync that prunes waits for it all the same.
# Nothing that is synced later needs a daemon on every node; but where none of its pods is
# available, it is the daemon that is broken, such as by an image that cannot be pulled.
# What is not ours keeps Argo CD's check, which a script can only replace:
# https://github.com/argoproj/argo-cd/blob/v3.5.7/gitops-engine/pkg/health/health_daemonset.go
_DAEMON_SET_LUA = """\
local prefixes = {{{prefixes}}}

local function is_ours(id)
  -- No string library is open here; in order, "." comes right after "-".
  for _, prefix in ipairs(prefixes) do
    if id >= prefix .. "-" and id < prefix .. "." then
      return true
    end
  end
  return false
end

local function progressing(message)
  return {{status = "Progressing", message = message}}
end

local metadata, status = obj.metadata, obj.status or {{}}
if (metadata.generation or 0) > (status.observedGeneration or 0) then
  return progressing("waits for its rollout to begin")
end

local desired = status.desiredNumberScheduled or 0
local updated = status.updatedNumberScheduled or 0
local available = status.numberAvailable or 0
local message = updated .. " of " .. desired .. " pods are updated, " .. available .. " available"
local id = (metadata.annotations or {{}})["argocd.argoproj.io/tracking-id"] or ""
local on_delete = (obj.spec.updateStrategy or {{}}).type == "OnDelete"
local is_complete = updated >= desired and available >= desired
if is_complete or on_delete or (is_ours(id) and available > 0) then
  return {{status = "Healthy", message = message}}
end
return progressing(message)
"""


def health_checks(argocd_namespace: str, clusters: Iterable[str]) -> Document:
    """Return two keys of the ConfigMap `argocd-cm`, applied beside the keys that others own.

    Argo CD 1.8 dropped the check of Applications, without which the wave after one does not wait
    for it: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app
    """
    metadata = {
        "name": "argocd-cm",
        "namespace": argocd_namespace,
        # Argo CD ignores a ConfigMap without it; whoever installed Argo CD owns the other labels.
        "labels": {"app.kubernetes.io/part-of": "argocd"},
        "annotations": {
            # Whoever installed Argo CD still needs the ConfigMap when the platform goes.
            SYNC_OPTIONS: "Prune=false,Delete=false",
            SYNC_WAVE: str(Wave.BEFORE_ALL.value),
        },
    }
    data = {APPLICATION_KEY: _APPLICATION_LUA, DAEMON_SET_KEY: _daemon_set_health(clusters)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def _daemon_set_health(clusters: Iterable[str]) -> str:
    """Return the script for DaemonSets of all Applications, those of the clusters being ours.

    Their tracking annotation begins with the name of the Application:
    https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
    """
    return _DAEMON_SET_LUA.format(prefixes=", ".join(f'"{cluster}"' for cluster in clusters))
