"""The API of agent pools, and what cannot be said in it."""

API_VERSION = "containerservice.azure.com/v1api20240901"
"""The newest version without preview that the schemas cover."""

NO_GPU_PROFILE = f"gpuProfile, a field that {API_VERSION} lacks"
"""By which AKS leaves out its driver (https://learn.microsoft.com/azure/aks/use-nvidia-gpu). The
tag that did so before, `SkipGPUDriverInstall`, is refused since 2025-08-14
(https://github.com/Azure/AKS/issues/4925)."""
