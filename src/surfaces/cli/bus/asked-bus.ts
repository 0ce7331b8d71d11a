import type { AskedBus } from "../../../app/bus/choose-bus.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The bus that the flags ask for. */
export function askedBus(options: Options): AskedBus {
  return {
    path: textOption(options, "bus"),
    folder: () => projectDirOption(options),
    isFolderGiven: textOption(options, "projectDir") !== null,
  };
}
