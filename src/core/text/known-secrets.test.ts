import { expect, it } from "vitest";
import { hideSecrets, knownSecrets } from "./known-secrets.ts";

const env = { KEY: "sk-12345678", SHORT: "1234567", BLANK: "          ", SAME: "sk-12345678", QUOTED: 'a"b\\c-secret' };

it("knows the values of at least eight characters, each once, in the forms that text and JSON have", () => {
  expect(knownSecrets(["KEY", "SHORT", "BLANK", "SAME", "MISSING"], env)).toEqual([{ name: "KEY", value: env.KEY }]);
  expect(knownSecrets(["QUOTED"], env)).toEqual([
    { name: "QUOTED", value: String.raw`a\"b\\c-secret` },
    { name: "QUOTED", value: env.QUOTED },
  ]);
});

it("hides every one of them in a text, the longest first", () => {
  const secrets = knownSecrets(["KEY", "LONG"], { ...env, LONG: "sk-12345678.$90" });
  expect(hideSecrets("a sk-12345678.$90 b sk-12345678 c sk-1234567", secrets)).toBe(
    "a [redacted LONG] b [redacted KEY] c sk-1234567",
  );
  expect(hideSecrets("sk-12345678", [])).toBe("sk-12345678");
});
