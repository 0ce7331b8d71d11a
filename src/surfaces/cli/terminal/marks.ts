/** The signs in front of lines. Emoji here are those that every terminal draws two cells wide. */
export type Marks = {
  tool: string;
  ok: string;
  error: string;
  denied: string;
  retry: string;
  notice: string;
  todo: string;
  todoDone: string;
  todoActive: string;
  todoPending: string;
  ellipsis: string;
  separator: string;
};

export const emojiMarks: Marks = {
  tool: "🔧",
  ok: "✅",
  error: "❌",
  denied: "🚫",
  retry: "🔁",
  notice: "💬",
  todo: "📋",
  todoDone: "✅",
  todoActive: "👉",
  todoPending: "⬜",
  ellipsis: "…",
  separator: " · ",
};

export const textMarks: Marks = {
  tool: "[TOOL]",
  ok: "[OK]",
  error: "[ERR]",
  denied: "[DENIED]",
  retry: "[RETRY]",
  notice: "[NOTE]",
  todo: "[LIST]",
  todoDone: "[x]",
  todoActive: "[>]",
  todoPending: "[ ]",
  ellipsis: "...",
  separator: " | ",
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Text where emoji would come out as boxes: outside UTF-8, and on terminals without such a font. */
export function chooseMarks(wanted: "emoji" | "text" | "auto", env: Environment): Marks {
  if (wanted !== "auto") return wanted === "emoji" ? emojiMarks : textMarks;
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  const isUtf8 = /utf-?8/i.test(locale ?? "");
  return isUtf8 && !["dumb", "linux"].includes(env["TERM"] ?? "") ? emojiMarks : textMarks;
}
