local prefixes = {PREFIXES}

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
  return {status = "Progressing", message = message}
end

local metadata, status = obj.metadata, obj.status or {}
if (metadata.generation or 0) > (status.observedGeneration or 0) then
  return progressing("waits for its rollout to begin")
end

local desired = status.desiredNumberScheduled or 0
local updated = status.updatedNumberScheduled or 0
local available = status.numberAvailable or 0
local message = updated .. " of " .. desired .. " pods are updated, " .. available .. " available"
local id = (metadata.annotations or {})["argocd.argoproj.io/tracking-id"] or ""
local on_delete = (obj.spec.updateStrategy or {}).type == "OnDelete"
local is_complete = updated >= desired and available >= desired
if is_complete or on_delete or (is_ours(id) and available > 0) then
  return {status = "Healthy", message = message}
end
return progressing(message)
