# Judge what nccl-tests prints: fail below `percent` of the GB/s that are `expected`, 0 where nobody
# says what a machine reaches. With one size of messages, the average is what that size reaches.
/Out of bounds values/ && /FAILED/ { wrong = 1 }
/Avg bus bandwidth/ { sub(/.*: */, ""); measured = $1 }
END {
  least = expected * percent / 100
  if (measured == "") {
    print "failed: all_reduce_perf printed no bus bandwidth"
  } else if (wrong) {
    print "failed: all_reduce_perf found wrong values"
  } else if (expected == 0) {
    printf "passed: %.1f GB/s; what to expect is not known\n", measured
    exit 0
  } else if (measured < least) {
    printf "failed: %.1f GB/s; expected are %.1f, and at least %.1f\n", measured, expected, least
  } else {
    printf "passed: %.1f GB/s; expected are %.1f, and at least %.1f\n", measured, expected, least
    exit 0
  }
  exit 1
}
