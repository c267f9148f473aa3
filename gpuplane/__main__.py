"""The entry point of `gpuplane` and of `python -m gpuplane`."""

from gpuplane.application import create_application


def main() -> None:
    """Run the command line."""
    create_application()(prog_name="gpuplane")


if __name__ == "__main__":
    main()
