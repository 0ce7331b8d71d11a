import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import { createDisk } from "../lib/disk.ts";
import { createKey, listKeys, readKey } from "./keys.ts";
import { openReceipt, signReceipt } from "./sign-receipt.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));
const disk = createDisk();
const key = await createKey(disk, folder);
const stranger = await createKey(disk, join(folder, "stranger"));

const receipt: Receipt = {
  ralph: "0.1.0",
  verifiedAt: "2026-11-17T20:00:00.000Z",
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: null,
  base: null,
  baseCommit: null,
  candidate: "a".repeat(40),
  commit: null,
  checks: [],
  commands: [],
  tools: [],
  judges: [],
  run: null,
};

describe("a receipt", () => {
  it("is opened with the public part of the key that signed it", () => {
    const reader = readKey(key.publicPem, "key.pem");
    expect(reader).toMatchObject({ id: key.id, privateKey: null });
    expect(openReceipt(signReceipt(receipt, key), [reader])).toEqual({ receipt, signedBy: [key.id], isSigned: true });
  });

  it("without a key says that nobody signed it", () => {
    expect(openReceipt(signReceipt(receipt, null), [key])).toEqual({ receipt, signedBy: [], isSigned: false });
  });

  it("signed by a key that nobody gave proves nothing", () => {
    expect(openReceipt(signReceipt(receipt, stranger), [key])).toMatchObject({ signedBy: [], isSigned: true });
  });

  it("does not hold for another text under the same signature", () => {
    const signed = JSON.parse(signReceipt(receipt, key)) as { payload: string };
    const other = JSON.parse(signReceipt({ ...receipt, candidate: "b".repeat(40) }, null)) as { payload: string };
    const forged = JSON.stringify({ ...signed, payload: other.payload });
    expect(openReceipt(forged, [key])).toEqual({
      problem: `the signature of key ${key.id.slice(0, 12)} does not hold`,
    });
  });

  it("does not hold for a signature of another key under the name of a known one", () => {
    const text = signReceipt(receipt, stranger).replace(stranger.id, key.id);
    expect(openReceipt(text, [key])).toMatchObject({ problem: expect.stringContaining("does not hold") as string });
  });

  it.each([
    ["no JSON", "x"],
    ["no envelope", "{}"],
    ["a signature without a text", '{"payloadType":"t","payload":"","signatures":[{"keyid":1}]}'],
    ["another type", signReceipt(receipt, key).replace("in-toto", "other")],
    ["another spelling of its bytes", signReceipt(receipt, key).replace('"payload": "', '"payload": " ')],
  ])("is refused with %s", (_, text) => {
    expect(openReceipt(text, [key])).toHaveProperty("problem");
  });
});

describe("keys", () => {
  it("are kept for their owner alone and found again", async () => {
    expect((await listKeys(disk, folder)).map(({ id }) => id)).toEqual([key.id]);
    expect(statSync(join(folder, `${key.id}.pem`)).mode & 0o777).toBe(0o600);
  });

  it("of another kind, and files that are none, are refused by name", () => {
    expect(() => readKey("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----", "bad.pem")).toThrow("bad.pem");
    expect(() => readKey("", "empty.pem")).toThrow("empty.pem holds no Ed25519 key");
  });
});
