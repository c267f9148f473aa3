import datetime as dt
import shutil
import tomllib
from pathlib import Path

import pytest

from gpuplane.price_lists.__main__ import main, table_text
from gpus.provider import Provider
from gpus.purchase import load_price_list
from tests.gpuplane.price_lists.cloud import Cloud
from tests.gpuplane.price_lists.test_azure import page
from tests.gpuplane.price_lists.test_ec2 import price_file, serve

TABLES = Path("gpus/tables").resolve()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(TABLES, tmp_path / "gpus/tables")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("provider", [Provider.EKS, Provider.AKS])
def test_a_table_keeps_every_price_that_it_is_given(provider: Provider) -> None:
    prices = load_price_list(provider)
    assert prices is not None
    table = tomllib.loads(table_text(provider, prices))
    assert (table["as_of"], table["on-demand"]) == (prices.as_of, prices.on_demand)


def test_the_table_of_ec2_is_written_anew(
    cloud: Cloud, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(cloud, price_file({}), price_file({"PricePerUnit": "58.8928"}))
    main(["eks", "--base", cloud.url])
    assert (
        (root / "gpus/tables/prices_eks.toml").read_text()
        == """\
# What EC2 asks on demand for a machine-hour with Linux, in US dollars, before any
# discount. Source: https://pricing.us-east-1.amazonaws.com,
# by `python -m gpuplane.price_lists eks`.

as_of = 2026-11-20

[on-demand.eu-north-1]
"p5.48xlarge" = 58.8928

[on-demand.us-east-1]
"p5.48xlarge" = 55.04
"""
    )
    said = "gpus/tables/prices_eks.toml: 2 prices of 2 regions as of 2026-11-20\n"
    assert capsys.readouterr().out == said


def test_the_table_of_azure_has_the_day_on_which_it_is_read(cloud: Cloud, root: Path) -> None:
    cloud.answers = {"api/retail/prices": page({})}
    main(["aks", "--base", cloud.url])
    table = tomllib.loads((root / "gpus/tables/prices_aks.toml").read_text())
    today = dt.datetime.now(dt.UTC).date()
    assert table["on-demand"] == {"eastus": {"Standard_ND96isr_H100_v5": 98.32}}
    assert today - table["as_of"] <= dt.timedelta(days=1)


@pytest.mark.parametrize(
    ("provider", "message"),
    [
        ("gke", "argument provider: invalid choice: 'gke'"),
        ("eks", "/: has no price of any known instance type"),
        ("aks", "cannot be read: HTTP Error 404: Not Found"),
    ],
)
def test_a_table_stays_where_no_new_one_can_be_read(
    cloud: Cloud, root: Path, capsys: pytest.CaptureFixture[str], provider: str, message: str
) -> None:
    serve(cloud, price_file())
    with pytest.raises(SystemExit):
        main([provider, "--base", f"{cloud.url}/"])
    assert message in capsys.readouterr().err
    for table in TABLES.glob("prices_*.toml"):
        assert (root / "gpus/tables" / table.name).read_bytes() == table.read_bytes()


def test_a_folder_without_the_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["eks"])
    allowed = "allowed: the root of gpuplane's own repository"
    said = f"gpus/tables/prices_eks.toml: no such file; {allowed}\n"
    assert capsys.readouterr().err.endswith(said)
