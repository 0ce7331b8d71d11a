count=0
while [ "$count" -lt 40 ]; do
  echo "$count"
  count=$((count + 1))
  sleep 0.05
done
