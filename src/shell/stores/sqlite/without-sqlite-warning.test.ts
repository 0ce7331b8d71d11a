import { expect, it, onTestFinished } from "vitest";
import { withoutSqliteWarning } from "./without-sqlite-warning.ts";

it("lets every warning through but that of SQLite, and only while SQLite is loaded", () => {
  const heard: string[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was, and called on the process
  const { emitWarning } = process;
  onTestFinished(() => {
    process.emitWarning = emitWarning;
  });
  process.emitWarning = (warning: string | Error) => void heard.push(String(warning));
  const sqlite = "SQLite is an experimental feature and might change at any time";
  const loaded = withoutSqliteWarning(() => {
    process.emitWarning(sqlite, "ExperimentalWarning");
    process.emitWarning("the disk is nearly full");
    return 42;
  });
  process.emitWarning(sqlite, "ExperimentalWarning");
  expect([loaded, heard]).toEqual([42, ["the disk is nearly full", sqlite]]);
});
