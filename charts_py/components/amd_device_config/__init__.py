"""The component amd-device-config."""
