echo ready
while :; do sleep 1; done
