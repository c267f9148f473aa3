"""What admission on a cluster does to the manifests in a file."""
