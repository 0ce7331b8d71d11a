import { posix, win32 } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";

/** Where the store lives, outside of every project and of the agents' reach. */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const path = platform === "win32" ? win32 : posix;
  const own = env["RALPH_STATE_HOME"] ?? "";
  if (own !== "") {
    if (path.isAbsolute(own)) return own;
    throw new RalphError(
      "usage",
      `RALPH_STATE_HOME is "${own}", which is not an absolute path.`,
      "Set it to a path that begins at the root, or unset it.",
    );
  }
  if (platform === "win32") return path.join(env["LOCALAPPDATA"] || path.join(home, "AppData", "Local"), "ralph");
  // The XDG base directory specification says that a relative path is to be ignored.
  const xdg = env["XDG_STATE_HOME"] ?? "";
  return path.isAbsolute(xdg) ? path.join(xdg, "ralph") : path.join(home, ".local", "state", "ralph");
}
