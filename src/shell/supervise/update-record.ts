import type { SupervisedRun } from "../../core/supervise/run-record.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { updateRunInfo } from "./records/run-info.ts";
import type { Supervision } from "./supervision.ts";
import type { RunFolder } from "./records/task-folder.ts";

/** Changes a record. Must not reject: what is wrong with it is a remark in the journal. */
export async function updateRecord(
  supervision: Supervision,
  folder: RunFolder,
  change: Partial<SupervisedRun>,
): Promise<void> {
  await updateRunInfo(folder, () => change, supervision.keeping).catch((error: unknown) =>
    supervision.note("warning", thrownText(error)),
  );
}
