"""The component own-manifests."""
