import type { FormatWriter } from "./sim-event.ts";
import { writeAmp } from "./amp.ts";
import { writeClaude } from "./claude.ts";
import { writeCodex } from "./codex.ts";
import { writeOpencode } from "./opencode.ts";
import { writeText } from "./text.ts";

/** Every format by the name that `--format` takes. */
export const formats: Readonly<Record<string, FormatWriter>> = {
  claude: writeClaude,
  codex: writeCodex,
  amp: writeAmp,
  opencode: writeOpencode,
  text: writeText,
};

/** The format with the most to tell: prices, denials, sub-agents and the end of a limit. */
export const defaultFormat = "claude";
