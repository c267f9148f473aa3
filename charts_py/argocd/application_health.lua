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
