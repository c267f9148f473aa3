"""How the GPUs of a pool are best shared by given workloads: `gpuplane recommend`."""
