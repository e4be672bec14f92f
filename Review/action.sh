#!/usr/bin/env bash
# Runs the review for action.yml, whose inputs arrive as REVIEW_….
# Findings leave this step successfully, with their status as an output: they are uploaded first.
set -euo pipefail

sarif="${RUNNER_TEMP:?}/openhealth-review.sarif"
options=(--fail-on "${REVIEW_FAIL_ON:-warning}")
if [ -n "${REVIEW_CHANGED_SINCE:-}" ]; then options+=(--changed-since "$REVIEW_CHANGED_SINCE"); fi
if [ -n "${REVIEW_BASELINE:-}" ]; then options+=(--baseline "$REVIEW_BASELINE"); fi
# Paths are separated by spaces, or by lines if there are several, and aren't expanded.
if [[ "${REVIEW_PATH:-}" == *$'\n'*[![:space:]]* ]]; then
	mapfile -t lines <<< "$REVIEW_PATH"
	paths=()
	for line in "${lines[@]}"; do if [ -n "$line" ]; then paths+=("$line"); fi; done
else
	read -r -a paths <<< "${REVIEW_PATH:-.}"
fi

status=0
"${REVIEW_TOOL:?}" "${options[@]}" --sarif -- "${paths[@]}" > "$sarif" || status=$?
case "$status" in
0 | 2 | 3) ;;
*) exit "$status" ;;
esac
{
	echo "sarif=$sarif"
	echo "status=$status"
} >> "${GITHUB_OUTPUT:?}"
# The log shows the findings as people read them; the result is that of the first run.
"$REVIEW_TOOL" "${options[@]}" -- "${paths[@]}" || true
