import type { AskedBus } from "../../../app/bus/choose-bus.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The bus that the flags ask for. */
export function askedBus(options: Options): AskedBus {
  return {
    path: textOption(options, "bus"),
    folder: () => projectDirOption(options),
    isFolderGiven: textOption(options, "projectDir") !== null,
    // Loaded only where no bus is near: an agent that posts to its own does not open the store.
    taskDirOf: async (folder, which) =>
      (await import("../../../app/query/find/task-started-from.ts")).taskStartedFrom(folder, which),
  };
}
