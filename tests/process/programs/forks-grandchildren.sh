sh -c 'sh -c "sleep 300 & wait" & sleep 300 & wait' &
sleep 300 &
echo ready
wait
