"""The component intel-gpu-device-plugin."""
