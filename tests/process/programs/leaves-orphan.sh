# The orphan holds standard output open.
sleep 300 &
echo "$!"
