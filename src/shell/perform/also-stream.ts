import type { Artefacts, LogFile } from "../ports.ts";

/** The same artefacts; the raw stream of a turn goes into `log` too, which is closed by its owner. */
export function alsoStream(artefacts: Artefacts, log: LogFile): Artefacts {
  return {
    ...artefacts,
    append(artefact, keepBytesMax, taken) {
      const kept = artefacts.append(artefact, keepBytesMax, taken);
      if (artefact.kind !== "stream") return kept;
      return {
        artefact: kept.artefact,
        write(chunk) {
          void log.write(chunk);
          return kept.write(chunk);
        },
        close: () => kept.close(),
      };
    },
  };
}
