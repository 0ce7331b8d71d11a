# Says a word now and then after its result, then hangs.
echo result
for word in 1 2 3 4 5; do
  sleep 0.1
  echo "afterthought $word"
done
while :; do sleep 1; done
