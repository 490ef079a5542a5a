#!/usr/bin/env bash
# Drives a run to its end: ask what is to be done, do it, post the result, ask again.
# Usage: drive.sh RUN [--interactive]     Needs reprise and jq on the PATH.
set -euo pipefail
run=$1 interactive=${2-}

perform_shell() {  # effect as JSON
  local id out code=0
  id=$(jq -r .effectId <<<"$1")
  out=$(bash -c "$(jq -r .taskDef.shell.command <<<"$1")" 2>&1) || code=$?
  jq -n --arg out "$out" --argjson code "$code" \
    '{success: ($code == 0), exitCode: $code, stdout: $out, stderr: ""}' |
    reprise task:post "$run" "$id" --status ok --value - >/dev/null
}

answer_breakpoint() {  # effect as JSON
  local id reply=yes
  id=$(jq -r .effectId <<<"$1")
  jq -r '.inputs | .title, (.context.notes // empty)' <<<"$1"
  if [ "$interactive" = --interactive ]; then read -rp 'yes or no? ' reply </dev/tty; fi
  jq -n --arg who "${USER:-$(id -un)}" --arg reply "$reply" \
    '{approved: ($reply == "yes"), respondedBy: $who}' |
    reprise task:post "$run" "$id" --status ok --value - >/dev/null
}

while state=$(reprise run:iterate "$run" --json) && [ "$(jq -r .status <<<"$state")" = waiting ]; do
  while read -r effect; do
    echo "-> $(jq -r '"\(.effectId) \(.kind): \(.label)"' <<<"$effect")"
    case $(jq -r .kind <<<"$effect") in
      shell) perform_shell "$effect" & ;;  # side by side
      breakpoint) answer_breakpoint "$effect" ;;
      *) sleep 1 ;;  # a matter of time, or of somebody else
    esac
  done < <(jq -c '.nextActions[]' <<<"$state")
  wait
done
reprise run:status "$run"
