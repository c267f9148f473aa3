import pytest

from gpus.xid import Xid, XidClass, load_xids, xids_of


@pytest.mark.parametrize(
    ("xid_class", "codes"),
    [
        (XidClass.APPLICATION, [13, 31, 32, 43, 45, 68, 69, 94]),
        (XidClass.HANG, [46, 109]),
        (XidClass.DRIVER, [62, 110, 119, 120, 136, 143, 155, 156, 158]),
        (XidClass.HARDWARE, [48, 54, 64, 74, 79, 95, 140, 144, 145, 146, 147, 148, 149, 150]),
        (XidClass.NOTICE, [63, 92, 154, 157]),
    ],
)
def test_errors_are_classed_by_what_has_to_be_done(xid_class: XidClass, codes: list[int]) -> None:
    assert [xid.code for xid in xids_of(xid_class)] == codes


def test_an_error_has_the_words_of_nvidias_catalogue() -> None:
    (found,) = (xid for xid in load_xids() if xid.code == 79)
    assert found == Xid(79, "GPU has fallen off the bus", "RESTART_BM", XidClass.HARDWARE)


def test_no_gpu_is_reset_for_the_error_of_a_program() -> None:
    buckets = {xid.bucket for xid in xids_of(XidClass.APPLICATION)}
    assert buckets == {"RESTART_APP", "IGNORE", "WORKFLOW_XID_45"}
