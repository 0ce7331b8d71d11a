import { hasShape, shapeProblem } from "../../shape/shape.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { isObject } from "../../text/is-object.ts";
import { parsedOrNull } from "../../text/parsed-or-null.ts";
import { type Receipt, receiptShape } from "./receipt.ts";

/** The statement of in-toto that carries a receipt: its subject is the tree that was verified. */
export function toStatement(receipt: Receipt): string {
  const { candidate, commit } = receipt;
  const subject = [
    { name: "tree", digest: { gitTree: candidate } },
    ...(commit === null ? [] : [{ name: "commit", digest: { gitCommit: commit } }]),
  ];
  return canonicalJson({ _type: statementKind, subject, predicateType, predicate: receipt });
}

/**
 * The receipt in a statement, or why it is none. Every field is checked, and the subject must name the very tree and commit that
 * the receipt speaks for: else it could be shown for another one.
 */
export function readStatement(payload: string): { receipt: Receipt } | { problem: string } {
  const value = parsedOrNull(payload);
  if (!isObject(value)) return { problem: "its payload is not a JSON object" };
  if (value["_type"] !== statementKind) return { problem: `its payload is not a statement of ${statementKind}` };
  if (value["predicateType"] !== predicateType) return { problem: `its predicate is not ${predicateType}` };
  const { predicate: receipt } = value;
  if (!hasShape(receiptShape, receipt)) return { problem: shapeProblem(receiptShape, receipt) ?? "it is incomplete" };
  // Written again it must be the same text: no key twice, no other subject, nothing beside the receipt.
  return toStatement(receipt) === payload ? { receipt } : { problem: "its payload holds more than a receipt" };
}

const statementKind = "https://in-toto.io/Statement/v1";
const predicateType = "urn:ralph:verification:1";
