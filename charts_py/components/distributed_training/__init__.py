"""The resource by which people state a training job."""
