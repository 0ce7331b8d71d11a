import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { OpenFile, SharedFiles } from "../ports.ts";

/** Opens a bus for appending and creates it if necessary. Refuses links and everything but regular files. */
export function openForAppend(path: string, files: SharedFiles): OpenFile {
  const opened = openOrRefuse(path, "append", files);
  if (opened === null) throw new RalphError("bus", `The folder of the message bus ${path} does not exist.`);
  return opened;
}

/** Opens a bus for reading; null when it is not there. */
export function openForReading(path: string, files: SharedFiles): OpenFile | null {
  return openOrRefuse(path, "read", files);
}

function openOrRefuse(path: string, purpose: "read" | "append", files: SharedFiles): OpenFile | null {
  try {
    return files.open(path, purpose);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ELOOP" || code === "EMLINK")
      throw new RalphError("bus", `The message bus ${path} is a symbolic link; links are not followed.`, linkHint);
    if (code === "EISDIR" || code === "ENXIO") throw notRegular(path);
    const reason = thrownText(error);
    throw new RalphError("bus", `The message bus ${path} cannot be opened: ${reason}`, null, error);
  }
}

const linkHint = "Name the file itself.";

function notRegular(path: string): RalphError {
  return new RalphError(
    "bus",
    `The message bus ${path} is not a regular file.`,
    "Name a file, or one that is not there yet.",
  );
}
