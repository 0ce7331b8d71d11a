import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);

/** The first release of each line that hooks must run on: a later release of it has at least as much. */
export const oldNodeVersions = ["18.0.0", "20.0.0", "22.0.0"];

/** The oldest release the program itself runs on. */
export const oldestProgramNode = "22.18.0";

/** The package that holds one Node for this platform, without an install script. */
export function oldNodePackage(): string {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform}-${process.arch}`;
}

/** Where a version is installed. */
export function oldNodeFolder(version: string): string {
  return join(root, ".cache", "nodes", version);
}

/** The program of a version, or null where it is not installed. */
export function findOldNode(version: string): string | null {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const program = join(oldNodeFolder(version), "node_modules", oldNodePackage(), "bin", name);
  return existsSync(program) ? program : null;
}
