trap 'echo farewell; exit 7' TERM
echo ready
while :; do sleep 0.02; done
