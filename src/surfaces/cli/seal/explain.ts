import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { redacted } from "../../../core/settings/redact.ts";
import { explainProject } from "../../../app/seal/explain.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { warn } from "../input/start-talk.ts";
import { explanationLines } from "./explanation-lines.ts";

/** `ralph seal explain`: what would be protected here and why. Starts no run and writes nothing. */
export default async function explain({ options }: Input): Promise<number> {
  const explained = await explainProject(wireProgram(), { projectDir: projectDirOption(options), say: warn });
  const shown = { ...explained, explanation: redacted(explained.explanation) };
  const text = isOn(options, "json") ? jsonResult(shown) : cleanLines(explanationLines(explained));
  process.stdout.write(text);
  return 0;
}
