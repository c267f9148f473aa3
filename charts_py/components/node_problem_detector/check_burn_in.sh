#!/bin/sh
# Usage: check_burn_in.sh passed|not-failed
# Ask whether the verdict of the burn-in, its first word, is that it has passed, or has not failed.
# Exit code 0 sets the condition to False, 1 to True, any other to Unknown.
verdict=$(head -n 1 /burn-in/verdict 2>/dev/null)

case $1 in
passed) [ "${verdict%%[: ]*}" = passed ] && exit 0 ;;
not-failed) [ "${verdict%%[: ]*}" = failed ] || exit 0 ;;
*) exit 2 ;;
esac
echo "${verdict:-the burn-in has not ended yet}"
exit 1
