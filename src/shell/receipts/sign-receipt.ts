import { createPublicKey, sign, verify } from "node:crypto";
import {
  type Envelope,
  type EnvelopeSignature,
  signedText,
  statementType,
} from "../../core/verification/receipt/envelope.ts";
import type { Receipt } from "../../core/verification/receipt/receipt.ts";
import { readStatement, toStatement } from "../../core/verification/receipt/statement.ts";
import { isObject } from "../../core/text/is-object.ts";
import type { ReceiptKey } from "./keys.ts";

/** Writes a receipt as an envelope; without a private key it has no signature, and every reader says so. */
export function signReceipt(receipt: Receipt, key: ReceiptKey | null): string {
  const payload = toStatement(receipt);
  const data = Buffer.from(signedText(statementType, payload));
  const privateKey = key?.privateKey ?? null;
  const signatures =
    key === null || privateKey === null
      ? []
      : [{ keyid: key.id, sig: sign(null, data, privateKey).toString("base64") }];
  const envelope: Envelope = {
    payloadType: statementType,
    payload: Buffer.from(payload).toString("base64"),
    signatures,
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** A receipt that was read. `signedBy`: the ids of given keys whose signatures hold. */
export type OpenedReceipt = { receipt: Receipt; signedBy: string[]; isSigned: boolean };

/**
 * Reads an envelope and checks each signature with the keys that are given. A signature by one of them that does not hold is a
 * problem; one by another key proves nothing and is only counted.
 */
export function openReceipt(text: string, keys: readonly ReceiptKey[]): OpenedReceipt | { problem: string } {
  const envelope = readEnvelope(text);
  if (envelope === null) return { problem: "it is not an envelope of DSSE" };
  if (envelope.payloadType !== statementType) return { problem: `its payload is not of type ${statementType}` };
  const payload = Buffer.from(envelope.payload, "base64");
  // Anything but the one spelling of these bytes could be read differently by others.
  if (payload.toString("base64") !== envelope.payload) return { problem: "its payload is not base64" };
  const statement = payload.toString("utf8");
  const read = readStatement(statement);
  if ("problem" in read) return read;
  const data = Buffer.from(signedText(statementType, statement));
  const signedBy: string[] = [];
  for (const signature of envelope.signatures) {
    const key = keys.find(({ id }) => id === signature.keyid);
    if (key === undefined) continue;
    if (!isSignedBy(key, data, signature))
      return { problem: `the signature of key ${key.id.slice(0, 12)} does not hold` };
    signedBy.push(key.id);
  }
  return { receipt: read.receipt, signedBy, isSigned: envelope.signatures.length > 0 };
}

function isSignedBy(key: ReceiptKey, data: Buffer, { sig }: EnvelopeSignature): boolean {
  return verify(null, data, createPublicKey(key.publicPem), Buffer.from(sig, "base64"));
}

function readEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { payloadType, payload, signatures } = value;
    if (typeof payloadType !== "string" || typeof payload !== "string" || !Array.isArray(signatures)) return null;
    const read = signatures.map(readSignature);
    return read.includes(null) ? null : { payloadType, payload, signatures: read.filter((each) => each !== null) };
  } catch {
    return null;
  }
}

function readSignature(value: unknown): EnvelopeSignature | null {
  if (!isObject(value)) return null;
  const { keyid, sig } = value;
  return typeof keyid === "string" && typeof sig === "string" ? { keyid, sig } : null;
}
