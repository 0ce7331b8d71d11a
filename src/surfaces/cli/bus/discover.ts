import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { inferFields } from "../../../shell/bus/find-bus.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";
import { readTarget } from "./bus-target.ts";

/** `ralph bus discover`: the bus used here, and the project and task of its path. */
export default async function discover({ options }: Input): Promise<number> {
  const target = readTarget(options, process.env);
  const { projectId, taskId } = inferFields(target);
  const found = { path: target.path, kind: target.kind, project_id: projectId, task_id: taskId };
  process.stdout.write(isOn(options, "json") ? jsonLine(found) : cleanLines([target.path]));
  return 0;
}
