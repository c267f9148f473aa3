"""Which runtimes of Kubeflow Trainer there are, and what they are called."""

from charts_py.cluster_file.training import Framework, Trainer
from charts_py.platform.training_runtime import runtime_images, runtime_name, runtime_pools
from tests.charts_py.fixture_types import Load


def test_pools_of_shared_gpus_have_none(example: Load) -> None:
    pools = runtime_pools(example("training"))
    assert [pool.name for pool in pools] == ["h100", "h100-spot"]


def test_one_is_called_by_its_framework_and_its_pool(example: Load) -> None:
    pool, _ = runtime_pools(example("training"))
    assert runtime_name(Framework.TORCH, pool) == "torch-h100"


def test_mpi_has_some_only_where_there_is_an_image_of_it() -> None:
    image = "registry.example.com/training/mpi:1"
    own = runtime_images(Trainer(images={Framework.MPI: image}))
    others = [Framework.TORCH, Framework.DEEPSPEED, Framework.JAX]
    assert list(runtime_images(Trainer())) == others
    assert (list(own), own[Framework.MPI]) == ([*others, Framework.MPI], image)
