import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { busForReading } from "../../../app/bus/choose-bus.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";
import { askedBus } from "./asked-bus.ts";

/** `ralph bus discover`: the bus used here, and the project and task of its path. */
export default async function discover({ options }: Input): Promise<number> {
  const { path, kind, projectId, taskId } = await busForReading(askedBus(options), process.env);
  const found = { path, kind, project_id: projectId, task_id: taskId };
  process.stdout.write(isOn(options, "json") ? jsonResult(found) : cleanLines([path]));
  return 0;
}
