import { vi } from "vitest";
import { version } from "../../src/app/prepare/version.ts";
import { buildProgram } from "../../src/surfaces/cli/build-program.ts";

/** What a command printed, and the code it ends with. */
export type Called = { code: number; stdout: string; stderr: string };

/** Runs a command inside this process: hundreds of them would spend their time on starting. One at a time. */
export async function callRalph(words: string[], env: Readonly<Record<string, string>>): Promise<Called> {
  const printed = { stdout: "", stderr: "" };
  const former = process.env;
  process.env = { ...env };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await buildProgram(version)(words), ...printed };
  } finally {
    process.env = former;
    for (const spy of spies) spy.mockRestore();
  }
}
