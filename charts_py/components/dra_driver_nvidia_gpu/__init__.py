"""The component dra-driver-nvidia-gpu."""
