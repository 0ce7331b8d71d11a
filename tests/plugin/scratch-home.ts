import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { patient } from "../patience.ts";

/** A home and a project of their own, and the built program in them. */
export type ScratchHome = {
  home: string;
  project: string;
  ralph(...words: string[]): { exitCode: number | null; stdout: string; stderr: string };
  write(path: string, text: string): void;
  read(path: string): string;
  /** Every file with its bytes and every folder, below home, project and state. */
  picture(): Record<string, string>;
  remove(): void;
};

/** Makes both. Paths begin at their common folder: `home/…` and `project/…`. */
export function openHome(environment: Record<string, string> = {}): ScratchHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-plugin-")));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...environment };
  return {
    home,
    project,
    ralph(...words) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], {
        cwd: project,
        env,
        encoding: "utf8",
        timeout: patient(30_000),
      });
      return { exitCode: status, stdout, stderr };
    },
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    picture: () => pictureOf(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");

function pictureOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const stat = lstatSync(join(root, name));
      return [
        name,
        stat.isFile() ? `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(root, name), "utf8")}` : "folder",
      ];
    }),
  );
}
