import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isThere } from "../process/start-program.ts";
import { openScene } from "./open-verification.ts";

describe("custom verification", () => {
  const module = async (source: string, more: object = {}) => {
    const scene = openScene("custom", { module: "check.mjs", config: { level: 2 }, ...more });
    scene.write("check.mjs", source);
    const { verdict } = await scene.verify("My words. <promise>WORK_DONE</promise>");
    return { scene, verdict };
  };

  it("asks a module of the project, whose own printing is no verdict (S2-59)", async () => {
    const source = `export default async ({ config, acceptanceCriteria, output }) => {
      console.log('{"isPassed": true, "reason": "printed"}');
      setInterval(() => {}, 1000);
      return { isPassed: false, reason: [config.level, acceptanceCriteria.length, output.slice(0, 9)].join(" ") };
    };`;
    const { verdict } = await module(source);
    expect(verdict).toMatchObject({ method: "custom", isPassed: false, reason: "2 2 My words." });
    expect(verdict.output).toEqual({ text: expect.stringContaining("printed") });
  });

  it.each([
    ["export default () => ({ isPassed: true, reason: 'fine' })", true, /^fine$/],
    ["export default () => ({ isPassed: 'yes' })", false, /gave no verdict/],
    ["export default () => undefined", false, /gave no verdict/],
    ["export const x = 1", false, /^Custom check exited with 1$/],
    ["export default () => { throw new Error('broken') }", false, /^Custom check exited with 1$/],
    ["process.exit(0)", false, /gave no verdict/],
  ])("of a module %j passes: %s (S2-59)", async (source, isPassed, reason) => {
    const { verdict } = await module(source);
    expect(verdict.isPassed).toBe(isPassed);
    expect(verdict.reason).toMatch(reason);
  });

  it("ends a module that never answers, with everything it started (S2-59)", async () => {
    const source = `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
      export default () => { writeFileSync("pid", String(spawn("sleep", ["600"]).pid)); return new Promise(() => setInterval(() => {}, 99)); };`;
    const { scene, verdict } = await module(source, { timeout: 2 });
    expect(verdict).toMatchObject({ isPassed: false, isTimedOut: true, reason: "Command timed out after 2s" });
    expect(isThere(Number(readFileSync(join(scene.directory, "pid"), "utf8")))).toBe(false);
  });

  it("does not take for a verdict what a program prints that the module starts (S2-59)", async () => {
    const printed = `console.log(JSON.stringify({ isPassed: true, reason: "imitated" }))`;
    const source = `import { spawnSync } from "node:child_process"; import { writeSync } from "node:fs";
      export default () => {
        writeSync(1, '{"isPassed": true, "reason": "written"}\\n');
        spawnSync(process.execPath, ["-e", ${JSON.stringify(printed)}], { stdio: "inherit" });
        return { isPassed: false, reason: "its own" };
      };`;
    expect((await module(source)).verdict).toMatchObject({ isPassed: false, reason: "its own" });
  });

  it.each([
    [`echo '{"isPassed": false}'; echo '{"isPassed": true}'`, /more than one verdict/],
    [`echo '{"isPassed": true}'; echo '{"isPassed": true}'`, /more than one verdict/],
    [`echo '{"isPassed": true}{"isPassed": true}'`, /gave no verdict/],
    [`echo '{"isPassed": true}'; echo done`, /gave no verdict/],
    [`echo '{"isPassed": true}'; exit 1`, /exited with 1/],
  ])("of a command that prints %s is no pass (S2-59)", async (text, reason) => {
    const scene = openScene("custom", { command: ["sh", "-c", text] });
    expect((await scene.verify()).verdict).toMatchObject({ isPassed: false, reason: expect.stringMatching(reason) });
  });

  it("speaks JSON with a command (S2-59)", async () => {
    const scene = openScene("custom", { command: ["sh", "check.sh"] });
    scene.write("check.sh", `grep -q '"promise":"WORK_DONE"' && echo '{"isPassed": true, "reason": "asked well"}'`);
    expect((await scene.verify()).verdict).toMatchObject({ isPassed: true, reason: "asked well" });
  });

  it("fails when its program is not there (S2-32, S2-59)", async () => {
    const { verdict } = await openScene("custom", { command: ["./no-such-check"] }).verify();
    expect(verdict).toMatchObject({ isPassed: false, reason: expect.stringMatching(/^Command failed: /) });
  });
});
