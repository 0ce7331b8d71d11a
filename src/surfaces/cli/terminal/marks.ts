/** The signs of a view. A terminal draws an emoji of these two cells wide, or one that is counted as two. */
export type Marks = {
  tool: string;
  /** In front of the name that a line belongs to. */
  arrow: string;
  /** In front of the first line of output, and of each further one. */
  output: string;
  outputMore: string;
  ok: string;
  error: string;
  denied: string;
  retry: string;
  notice: string;
  reasoning: string;
  todo: string;
  todoDone: string;
  todoActive: string;
  todoPending: string;
  /** With the space behind it; empty where the word alone says it. */
  progress: string;
  waiting: string;
  ellipsis: string;
  separator: string;
};

export const emojiMarks: Marks = {
  tool: "⏺",
  arrow: "←",
  output: "⎿",
  outputMore: " ",
  ok: "✅",
  error: "❌",
  denied: "🚫",
  retry: "🔁",
  notice: "💬",
  reasoning: "💭",
  todo: "📋",
  todoDone: "✅",
  todoActive: "🔄",
  todoPending: "⏸️",
  progress: "📊 ",
  waiting: "⏸️",
  ellipsis: "…",
  separator: " · ",
};

export const textMarks: Marks = {
  tool: "[TOOL]",
  arrow: "<-",
  output: "|",
  outputMore: "|",
  ok: "[OK]",
  error: "[ERR]",
  denied: "[DENIED]",
  retry: "[RETRY]",
  notice: "[NOTE]",
  reasoning: "[THINK]",
  todo: "[LIST]",
  todoDone: "[x]",
  todoActive: "[>]",
  todoPending: "[ ]",
  progress: "",
  waiting: "[WAIT]",
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
