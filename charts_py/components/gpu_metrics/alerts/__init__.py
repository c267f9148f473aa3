"""When to alert on NVIDIA GPUs, by what DCGM measures of them."""
