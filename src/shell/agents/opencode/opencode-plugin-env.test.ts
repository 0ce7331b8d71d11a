import { describe, expect, it } from "vitest";
import { opencodePluginEnv } from "./opencode-plugin-env.ts";

/** What the program's configuration says then; null: it is not guarded. */
function configured(given: string | undefined, flags: readonly string[] = []): unknown {
  const env = opencodePluginEnv({ flags, env: { OPENCODE_CONFIG_CONTENT: given } });
  return env === null ? null : (JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "") as unknown);
}

const ours: unknown = expect.stringMatching(/^file:\/\/\/.*\/dist\/opencode-plugin\.js$/);

describe("the plugin in the configuration of one process", () => {
  it.each<[string, string | undefined, unknown]>([
    ["nothing else", undefined, { plugin: [ours] }],
    ["an empty text", " ", { plugin: [ours] }],
    ["other settings", '{"permission":{"edit":"ask"}}', { permission: { edit: "ask" }, plugin: [ours] }],
    ["other plugins", '{"plugin":["mine"]}', { plugin: ["mine", ours] }],
  ])("is added to %s (CW-4B)", (_, given, expected) => {
    expect(configured(given)).toEqual(expected);
  });

  it.each<[string, string | undefined, string[]]>([
    ["plugins are switched off", undefined, ["--pure"]],
    ["the configuration cannot be added to", "{ // mine\n}", []],
    ["its plugins are no list", '{"plugin":"mine"}', []],
  ])("is not there where %s, so the agent is not guarded (CW-4B)", (_, given, flags) => {
    expect(configured(given, flags)).toBeNull();
  });
});
