import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a folder with all below it, also where somebody took the rights of its folders away. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    unlock(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function unlock(path: string): void {
  const stack = [path];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (!lstatSync(folder).isDirectory()) continue;
    chmodSync(folder, 0o700);
    for (const name of readdirSync(folder)) stack.push(join(folder, name));
  }
}
