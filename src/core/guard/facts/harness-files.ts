import { isWithin, type CallContext } from "./call-context.ts";

/** Whether a file names processes of the harness: a parent in `/proc`, ralph's store, and what ralph keeps in the project. */
export function isHarnessFile(path: string, place: CallContext): boolean {
  if (path.length > pathCharsMax) return false;
  return (
    isWithin(path, place.store) || parents.test(path) || /\/\.ralph(?:-active|\/.*(?:pid|lock|\.json))$/.test(path)
  );
}

/** Linux takes no longer path, and a search in a longer one would take long. */
const pathCharsMax = 4096;
const parents = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:stat|status)$/;
