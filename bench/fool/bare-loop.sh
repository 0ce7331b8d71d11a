#!/bin/sh
# The plainest loop: the agent, then the check, until the check is green and the agent has said that it is done.
# bare-loop.sh AGENT CHECK TURNS TASK CLAIM, in the project. Exits 0 when done, 1 when not.
turn=0
while [ "$turn" -lt "$3" ]; do
  answer=$(printf '%s\n' "$4" | "$1")
  if sh -c "$2" && [ "${answer#*"$5"}" != "$answer" ]; then exit 0; fi
  turn=$((turn + 1))
done
exit 1
