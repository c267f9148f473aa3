"""What is warned of where a cluster does not name the image of its webhook."""

PLACEHOLDER = (
    "webhook.image: ghcr.io/example/gpuplane-webhook:0.1.0, the default, is a placeholder that "
    "cannot be pulled, so the first sync would never end; allowed: an image that is built "
    "and pushed, as README.md says of the webhook's image"
)
