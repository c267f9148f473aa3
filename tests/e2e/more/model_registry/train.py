"""A program that trains nothing: it records a run, and names its files the champion of a model."""

# MLflow is where this runs alone.
# mypy: disable-error-code=import-not-found

import json
import sys
from pathlib import Path

import mlflow

folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True)
(folder / "config.json").write_text("{}")
with mlflow.start_run() as run:
    mlflow.log_metric("loss", 0.5)
    mlflow.log_artifacts(folder, "model")
client = mlflow.MlflowClient()
if not client.search_registered_models("name = 'chat'"):
    client.create_registered_model("chat")
source = f"runs:/{run.info.run_id}/model"
version = client.create_model_version("chat", source, run.info.run_id).version
client.set_registered_model_alias("chat", "champion", version)
found = {
    "run": run.info.run_id,
    "experiment": mlflow.get_experiment(run.info.experiment_id).name,
    "tags": mlflow.get_run(run.info.run_id).data.tags,
}
(folder / "found.json").write_text(json.dumps(found))
