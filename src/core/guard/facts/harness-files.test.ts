import { expect, it } from "vitest";
import { isHarnessFile } from "./harness-files.ts";

const place = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };

it("knows the files that name processes of the harness (R-120)", () => {
  const named = ["/proc/self/status", "/proc/7/task/7/stat", "/s/runs/a/lock", "/w/.ralph/run.pid", "/w/.ralph-active"];
  expect(named.filter((path) => !isHarnessFile(path, place))).toEqual([]);
  const others = ["/proc/cpuinfo", "/w/server.pid", "/w/.ralph/notes.md", "/w/status"];
  expect(others.filter((path) => isHarnessFile(path, place))).toEqual([]);
});
