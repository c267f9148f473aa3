# Usage: burn_in.sh LEVEL MINUTES GPUS
# Test the GPUS of this node once, in MINUTES at most, and keep the verdict in a file, whose first
# word is `passed` or `failed`. Fail where no verdict could be kept, so that it is tried again.
folder=/burn-in
level=$1
minutes=$2
gpus=$3

conclude() {
  echo "$1"
  echo "$1" >"$folder/verdict.new" && mv "$folder/verdict.new" "$folder/verdict"
}

# A program that all three looks find is none of those that the GPU operator validates a node with.
# GPUs that nobody can look at are tested, to fail; what else than numbers is printed is no program.
in_use() {
  for _ in 1 2 3; do
    found=$(timeout --kill-after=10 60 nvidia-smi --query-compute-apps=pid --format=csv,noheader) || return 1
    echo "$found" | grep -q '^[0-9]' || return 1
    sleep 10
  done
}

start_engine() {
  nv-hostengine -n >/dev/null 2>&1 &
  engine=$!
  tries=30
  until timeout --kill-after=10 10 dcgmi discovery --list >/dev/null 2>&1 || [ "$tries" -eq 0 ]; do
    tries=$((tries - 1))
    sleep 2
  done
}

count() {
  grep -c "\"status\" : \"$1\"" "$folder/report"
}

complaint() {
  grep -o '"\(warning\|runtime_error\)" : ".*"' "$folder/report" | head -n 1 |
    sed 's/^[^:]*: "//; s/"$//'
}

# A driver that does not persist is slow to start, and no fault of a GPU. dcgmi ends with 0 where what
# failed is neither a GPU nor software (`GetFailureResult` in dcgmi/Diag.cpp).
diagnose() {
  timeout --kill-after=60 "${minutes}m" dcgmi diag --run "$level" --json \
    --expectedNumEntities "gpu:$gpus" --parameters software.require_persistence_mode=False \
    >"$folder/report" 2>&1
  code=$?
  cat "$folder/report"
  case $code in
  0)
    if [ "$(count Fail)" -gt 0 ]; then
      found=$(complaint)
      conclude "failed: ${found:-a test that dcgmi does not count}"
    elif [ "$(count Pass)" -gt 0 ]; then
      conclude "passed: $(count Pass) results of level $level, $(count Skip) tests skipped"
    else
      conclude "failed: dcgmi ran no test"
    fi
    ;;
  124 | 137) conclude "failed: no result within $minutes minutes" ;;
  *)
    found=$(complaint)
    conclude "failed: ${found:-dcgmi ended with $code}"
    ;;
  esac
}

if [ ! -s "$folder/verdict" ]; then
  until [ -e /validations/cuda-ready ]; do sleep 5; done
  if in_use; then
    conclude "passed: not tested, since programs used the GPUs already"
  else
    start_engine
    diagnose
    kill "$engine"
  fi
fi
[ -s "$folder/verdict" ]
