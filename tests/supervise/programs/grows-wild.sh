# Ignores SIGTERM, starts a grandchild and a daemon in its own session that ignores SIGTERM too, and floods standard error.
trap '' TERM INT HUP
(sleep 600 & sleep 600) &
setsid sh -c 'touch "$TASK_FOLDER/daemon"; while :; do sleep 0.1; done' </dev/null >/dev/null 2>&1 &
until [ -e "$TASK_FOLDER/daemon" ]; do sleep 0.02; done
yes "standard error is flooded with this" | head -c 4000000 >&2
touch "$TASK_FOLDER/grown"
if [ "$1" = done ]; then
  touch "$TASK_FOLDER/DONE"
  exit 0
fi
while :; do echo "still there" >&2; sleep 0.05; done
