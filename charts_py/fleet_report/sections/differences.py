"""What a change does, where one is planned."""

from charts_py.fleet_report.report_page import ReportSection


def not_compared() -> ReportSection:
    """Return that nothing was compared."""
    return ReportSection(
        name="differences",
        title="Differences",
        summary=(
            "Not compared: this page is of one state of the repository. Fleet tells which "
            "components a promotion changes, and gpuplane diff what of them."
        ),
    )
