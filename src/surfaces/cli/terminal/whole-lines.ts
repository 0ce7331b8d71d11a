/** Longer unfinished lines are broken. */
const lineCharsMax = 4096;

/** Hands on whole lines only. */
export function wholeLines(print: (text: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const all = rest + text;
    const end = all.length > lineCharsMax ? all.length : all.lastIndexOf("\n") + 1;
    rest = all.slice(end);
    if (end === 0) return;
    const lines = all.slice(0, end);
    print(lines.endsWith("\n") ? lines : `${lines}\n`);
  };
}
