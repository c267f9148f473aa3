"""A whole fleet on one page, from its files alone: `gpuplane report`."""
