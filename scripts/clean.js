// Removes what building and testing leave behind; installed packages and agents stay.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const name of ["dist", "coverage"]) rmSync(join(root, name), { recursive: true, force: true });
