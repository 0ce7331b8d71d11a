import { describe, expect, it } from "vitest";
import { ampAdapter } from "./amp/amp-adapter.ts";
import { claudeAdapter } from "./claude/claude-adapter.ts";
import { missingSignIn, type SignInContext } from "./sign-in.ts";

const noFiles = { readText: () => Promise.resolve(null) };

function check(changes: Partial<SignInContext>) {
  return missingSignIn({ adapter: ampAdapter, command: "/opt/amp", env: { HOME: "/h" }, disk: noFiles, ...changes });
}

describe("missingSignIn", () => {
  it("names the variable and the remedy when the agent would wait for a login for ever", async () => {
    const missing = await check({});
    expect(missing).toMatchObject({ kind: "sign-in" });
    expect(missing?.message).toContain("Set AMP_API_KEY, or log in with /opt/amp once.");
  });

  it("takes an empty variable for none", async () => {
    expect(await check({ env: { HOME: "/h", AMP_API_KEY: "" } })).not.toBeNull();
  });

  it("is content with the variable, or with a login of the agent's own, readable or not", async () => {
    expect(await check({ env: { AMP_API_KEY: "k" } })).toBeNull();
    const secrets = {
      readText: (path: string) => Promise.resolve(path === "/h/.local/share/amp/secrets.json" ? "" : null),
    };
    expect(await check({ disk: secrets })).toBeNull();
    expect(await check({ disk: { readText: () => Promise.reject(new Error("EACCES")) } })).toBeNull();
  });

  it("asks nothing of an agent that says itself what it lacks", async () => {
    expect(await check({ adapter: claudeAdapter })).toBeNull();
  });
});
