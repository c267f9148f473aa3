"""The health check of DaemonSets: a node that is down does not hold a sync, a broken daemon does.

Its pod is desired and never available, so that Argo CD's own check would call the DaemonSet
Progressing until the node is repaired: no wave after it would start, and nothing could be promoted
or rolled back. An annotation on the DaemonSet would not do, since a sync that prunes waits for it
all the same. Nothing that is synced later needs a daemon on every node; but where none of its pods
is available, it is the daemon that is broken, such as by an image that cannot be pulled.
"""

from collections.abc import Iterable

DAEMON_SET_KEY = "resource.customizations.health.apps_DaemonSet"
"""Its key in the ConfigMap `argocd-cm`."""

# What is not ours keeps Argo CD's check, which a script can only replace:
# https://github.com/argoproj/argo-cd/blob/v3.5.7/gitops-engine/pkg/health/health_daemonset.go
_LUA = """\
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


def daemon_set_health(clusters: Iterable[str]) -> str:
    """Return the script for DaemonSets of all Applications, those of the clusters being ours.

    Their tracking annotation begins with the name of the Application:
    https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
    """
    return _LUA.format(prefixes=", ".join(f'"{cluster}"' for cluster in clusters))
