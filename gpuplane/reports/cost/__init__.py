"""What pools cost, and what teams have reserved of them by their quotas: `gpuplane cost`."""
