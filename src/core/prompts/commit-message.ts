/** Longest message taken; a longer answer is not a short message but prose. */
const messageCharsMax = 2000;

/**
 * The commit message in an agent's answer: a `<response>` tag, else the first line that is words. JSON, fences and
 * quotes are never a message (S1-62, CW-1G). Null when there is none.
 */
export function commitMessage(answer: string): string | null {
  const tagged = /<response>([\s\S]*?)<\/response>/i.exec(answer)?.[1];
  const line = (tagged ?? answer)
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "" && !each.startsWith("```") && !isJson(each));
  const bare = (tagged === undefined || line === undefined ? line : tagged.trim())
    ?.replace(/^commit message:\s*/i, "")
    .replace(/^(["'`])([\s\S]*)\1$/, "$2")
    .trim();
  return bare === undefined || bare === "" ? null : bare.slice(0, messageCharsMax);
}

function isJson(line: string): boolean {
  if (!/^[[{]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
