import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { judgeSignature } from "../../core/verification/receipt/judge-signature.ts";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import { createDisk } from "../lib/disk.ts";
import { createKey } from "./keys.ts";
import { openReceipt, signReceipt } from "./sign-receipt.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));
const key = await createKey(createDisk(), folder);
const stranger = await createKey(createDisk(), join(folder, "stranger"));

const [tree, hash] = ["0".repeat(40), "0".repeat(64)];
const receipt: Receipt = {
  ralph: "0.1.0",
  verifiedAt: "2026-11-17T20:00:00.000Z",
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: { hash: "5".repeat(64), isolation: "namespace" },
  base: "b".repeat(40),
  baseCommit: "1".repeat(40),
  candidate: "a".repeat(40),
  commit: "2".repeat(40),
  checks: [
    {
      gate: "guardrail-1",
      name: "npm test",
      exitCode: 0,
      isSealed: true,
      tests: { passed: 3, failed: 0, skipped: 0, missing: 0, added: 1 },
      log: "e".repeat(64),
    },
  ],
  commands: [{ command: "npm test", exitCode: 0, report: "7".repeat(64) }],
  tools: [{ name: "node", sha256: "f".repeat(64) }],
  judges: [{ program: "judge", model: "large" }],
  run: { id: "20261117-200000-abcd", journal: "9".repeat(64) },
};
const [check] = receipt.checks as [Receipt["checks"][0]];
const tests = { passed: 9, failed: 0, skipped: 0, missing: 0, added: 0 };

type Written = { payloadType: string; payload: string; signatures: { keyid: string; sig: string }[] };
const signed = signReceipt(receipt, key);
const written = JSON.parse(signed) as Written;
const [signature] = written.signatures as [{ keyid: string; sig: string }];
const payload = Buffer.from(written.payload, "base64").toString();
const encoded = (text: string): string => Buffer.from(text).toString("base64");
const envelope = (other: Partial<Written>): string => JSON.stringify({ ...written, ...other });
/** The payload of another receipt under the signature of the true one. */
const under = (other: Partial<Receipt>): string =>
  envelope({ payload: (JSON.parse(signReceipt({ ...receipt, ...other }, null)) as Written).payload });

const receipts: [string, Partial<Receipt>][] = [
  ["another version", { ralph: "9.9.9" }],
  ["another time", { verifiedAt: "2027-01-01T00:00:00.000Z" }],
  ["another contract", { contract: { hash, revision: 1 } }],
  ["another revision", { contract: { ...receipt.contract, revision: 2 } }],
  ["another seal", { seal: { hash, isolation: "namespace" } }],
  ["another isolation", { seal: { hash: "5".repeat(64), isolation: "copy" } }],
  ["no seal", { seal: null }],
  ["another base", { base: tree }],
  ["no base", { base: null }],
  ["another commit of the base", { baseCommit: tree }],
  ["another candidate", { candidate: tree }],
  ["another commit", { commit: tree }],
  ["no commit", { commit: null }],
  ["no checks", { checks: [] }],
  ["one check more", { checks: [check, { ...check, name: "lint" }] }],
  ["a check of another gate", { checks: [{ ...check, gate: "guardrail-2" }] }],
  ["another command", { checks: [{ ...check, name: "true" }] }],
  ["another exit code", { checks: [{ ...check, exitCode: 1 }] }],
  ["other counts of tests", { checks: [{ ...check, tests }] }],
  ["another log", { checks: [{ ...check, log: hash }] }],
  ["no log", { checks: [{ ...check, log: null }] }],
  ["no commands", { commands: [] }],
  ["other results", { commands: [{ command: "npm test", exitCode: 0, report: hash }] }],
  ["another program", { tools: [{ name: "node", sha256: hash }] }],
  ["no programs", { tools: [] }],
  ["another judge", { judges: [{ program: "judge", model: null }] }],
  ["another run", { run: { id: "20261117-200000-zzzz", journal: "9".repeat(64) } }],
  ["another journal", { run: { id: "20261117-200000-abcd", journal: hash } }],
  ["no run", { run: null }],
];

const envelopes: [string, string][] = [
  ["no signature", envelope({ signatures: [] })],
  ["an empty signature", envelope({ signatures: [{ ...signature, sig: "" }] })],
  ["half a signature", envelope({ signatures: [{ ...signature, sig: signature.sig.slice(0, 40) }] })],
  ["a signature of zeros", envelope({ signatures: [{ ...signature, sig: encoded("\0".repeat(64)) }] })],
  ["the name of a stranger's key", envelope({ signatures: [{ ...signature, keyid: stranger.id }] })],
  ["no name of a key", envelope({ signatures: [{ ...signature, keyid: "" }] })],
  ["a stranger's signature", signReceipt(receipt, stranger)],
  ["a stranger's signature under the known name", signReceipt(receipt, stranger).replace(stranger.id, key.id)],
  ["a second signature that does not hold", envelope({ signatures: [signature, { ...signature, sig: "AAAA" }] })],
  ["another type of payload", envelope({ payloadType: "application/json" })],
  ["a payload in URL spelling", envelope({ payload: written.payload.replaceAll("=", "") + "-" })],
  ["white space in the payload", envelope({ payload: `${written.payload}\n` })],
  ["a payload that ends early", envelope({ payload: encoded(payload.slice(0, -10)) })],
  ["a payload with a second value", envelope({ payload: encoded(payload.replace('"base"', '"base":null,"base"')) })],
  [
    "another subject",
    envelope({ payload: encoded(payload.replace(`"gitTree":"${"a".repeat(40)}`, `"gitTree":"${tree}`)) }),
  ],
  ["another predicate", envelope({ payload: encoded(payload.replace("urn:ralph", "urn:other")) })],
  ["another statement", envelope({ payload: encoded(payload.replace("Statement/v1", "Statement/v2")) })],
  ["a field that no receipt has", envelope({ payload: encoded(payload.replace('"ralph":', '"more":1,"ralph":')) })],
  ["the statement without its envelope", payload],
  ["nothing", ""],
  ["a list", "[]"],
];

/** What a caller who knows the key alone makes of a text. */
function isAccepted(text: string): boolean {
  const opened = openReceipt(text, [key]);
  if ("problem" in opened) return false;
  const { isSigned, signedBy } = opened;
  return judgeSignature({ isSigned, signedBy, wanted: [], isUnsignedAllowed: false }) === null;
}

describe("a receipt that somebody changed", () => {
  it("is one of more than 40, and the true one is accepted", () => {
    expect(receipts.length + envelopes.length).toBeGreaterThan(40);
    expect(isAccepted(signed)).toBe(true);
    expect(under({})).toBe(JSON.stringify(written));
  });

  it.each(receipts)("is refused with %s", (_, other) => {
    expect(isAccepted(under(other))).toBe(false);
  });

  it.each(envelopes)("is refused in an envelope with %s", (_, text) => {
    expect(isAccepted(text)).toBe(false);
  });
});
