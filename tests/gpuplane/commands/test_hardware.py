import pytest

from gpus.catalog import load_catalog
from gpus.provider import Provider
from tests.gpuplane.conftest import Run, fields


def test_without_a_provider_the_models_are_listed_with_their_mig_profiles(run: Run) -> None:
    rows = [row.split("│")[1:-1] for row in run("hardware").stdout.splitlines() if "│" in row]
    cells = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}
    assert set(load_catalog().models) <= set(cells)
    assert cells["T4"] == ["nvidia", "15 GiB", "", "yes", "amd64", "410 or later", ""]
    assert cells["GB200"][4:6] == ["arm64", "570.123.01 or later, open"]
    assert cells["V100-SXM-16"][5] == "384 to 580, proprietary"
    assert cells["A30"][6] == "1g.6gb (4), 1g.6gb+me (1), 2g.12gb (2), 2g.12gb+me (1), 4g.24gb (1)"


def test_a_provider_lists_its_instance_types(run: Run) -> None:
    rows = [row.split("│")[1:-1] for row in run("hardware", "eks").stdout.splitlines()]
    (found,) = [[cell.strip() for cell in row] for row in rows if row and "p5.48x" in row[0]]
    shown = "p5.48xlarge, H100-SXM, 8, 192, 2048 GiB, 3200, efa x 32, 28312 GiB"
    assert found == shown.split(", ")


def test_json_has_every_model(run: Run) -> None:
    report = run.report("hardware")
    rows = report.pop("items")
    assert report == {"kind": "GpuModelList"}
    assert [row["name"] for row in rows] == list(load_catalog().models)
    assert next(row["mig"] for row in rows if row["name"] == "A30")["1g.6gb"] == 4
    assert next(row["driver"] for row in rows if row["name"] == "V100-SXM-16") == fields(
        "kernelModules: [proprietary], firstBranch: 384, lastBranch: 580, firstVersion: null"
    )


def test_json_has_every_instance_type_of_a_provider(run: Run) -> None:
    report = run.report("hardware", "aks")
    rows = report.pop("items")
    assert report == {"kind": "InstanceTypeList"}
    assert [row["name"] for row in rows] == list(load_catalog().instance_types[Provider.AKS])
    assert {"memoryGib", "networkGbps", "rdmaInterfaces", "localNvmeGib"} <= set(rows[0])


def test_a_model_is_listed_alone(run: Run) -> None:
    (row,) = run.report("hardware", "T4")["items"]
    driver = "kernelModules: [open, proprietary], firstBranch: 410, lastBranch: null"
    assert row == fields(f"""
        name: T4, family: t4, vendor: nvidia, product: Tesla-T4, memoryMib: 15360,
        pciDevice: "1eb8", nvlink: false, mps: true, mig: {{}}, architecture: turing,
        resource: null, vgpu: false, hostArchitecture: amd64, computeCapability: "7.5",
        driver: {{{driver}, firstVersion: null}}, nvlinkDomain: null
    """)


def test_a_model_is_named_in_any_case_and_without_its_end(run: Run) -> None:
    assert run.report("hardware", "gb2") == run.report("hardware", "GB200")


@pytest.mark.parametrize(("name", "near"), [("gk", "gke"), ("A30X", "A30")])
def test_an_unknown_name_is_wrong_input(run: Run, name: str, near: str) -> None:
    said = run.refused("hardware", name)
    assert said.startswith(f'unknown provider or GPU model "{name}"; allowed: eks, gke, aks, ')
    assert f"; nearest: {near}" in said


def test_own_machines_have_no_instance_types(run: Run) -> None:
    assert run.refused("hardware", "onprem") == (
        "onprem has no instance types: its pools state gpu, gpus, cpu and memory of a machine "
        "(docs/hardware.md); gpuplane hardware lists the GPU models\n"
    )
