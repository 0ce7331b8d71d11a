import type { Finding } from "../../../shell/doctor/finding.ts";

/** The oldest Node with everything ralph uses (package.json, `engines`). */
const oldest = [22, 18] as const;

/** The Node this program runs on. */
export function findNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecent = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isRecent) return { name: "node", state: "ok", text: version, remedy: null, version };
  const needed = oldest.join(".");
  return { name: "node", state: "broken", text: `${version}, older than ${needed}`, remedy: `Install Node ${needed}.` };
}
