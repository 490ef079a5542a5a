#!/bin/bash
# A channel from its first message to its compaction, with an agent whose answers are scripted in
# config.json beside this file. Each line is a process of its own; kill any, and say it again.
#
#   REPRISE_HOME=/tmp/talk docs/examples/channel/conversation.sh
set -euo pipefail
cd "$(dirname "$0")"

reprise init --output none
cp config.json "$REPRISE_HOME/config.json"
say() { echo; echo "== $*"; }
# Performs what is pending. 10: the channel waits for the next message, as it should.
work() { reprise run:drive team --output none || [[ $? == 10 ]]; }

say "A question, and its answer"
# The window is tiny, so that a few messages fill it.
reprise channel:create team --setting contextWindow=300 \
  --setting compactor.keepMessages=2 --output none
reprise message:post team 'Can we ship?' --id m1 --drive

say "Something to think about becomes a branch"
reprise message:post team 'Analyze the risks of shipping on Friday' --id m2 --output none
work
reprise branch:list team

say "Something to do becomes a worker, which asks back"
reprise message:post team 'Build it, please' --id m3 --output none
work
reprise worker:list team
reprise worker:route team w2 --command continue --text 'main' --output none
work
reprise artifact:show team a2

say "The agent is at work, more waits, and somebody interrupts"
reprise message:post team 'Tell me everything about version 1.4' --id m4 --output none
reprise message:post team 'And about 1.3' --id m5 --output none
reprise message:interrupt team 'Please stop that' --id m6 --output none
work
reprise message:list team --limit 4

say "What is said no longer fits: a compaction"
long=$(printf 'The quick brown fox jumps over the lazy dog. %.0s' {1..20})
reprise message:post team "$long" --id m7 --output none
work
reprise channel:show team
reprise event:tail --channel team --type 'compactor.*' --output jsonl |
  jq -r 'select(.messageType) | .messageType'
