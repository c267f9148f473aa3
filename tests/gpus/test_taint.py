from gpus.taint import NO_SCHEDULE, Taint


def test_a_taint_is_written_as_kubectl_writes_it() -> None:
    taint = Taint("nvidia.com/gpu", "present", NO_SCHEDULE)
    assert str(taint) == "nvidia.com/gpu=present:NoSchedule"
