echo to-stderr >/dev/stderr || exit 1
echo through-tee | tee /dev/stderr >/dev/stdout || exit 1
