# The child outlives this shell, and the program that takes the shell's place never asks how the child ended.
sleep 1 &
echo "$!"
exec sleep 300
