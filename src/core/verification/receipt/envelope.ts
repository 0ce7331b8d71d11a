/** A signed text in the form of DSSE: what is signed is the type and the payload, byte for byte. */
export type Envelope = { payloadType: string; payload: string; signatures: EnvelopeSignature[] };

/** `keyid` only helps to find the key; who verifies never believes it. */
export type EnvelopeSignature = { keyid: string; sig: string };

/** The type of payload that every receipt has. */
export const statementType = "application/vnd.in-toto+json";

/** The bytes that a signature covers: the version of the encoding, then type and payload, each with its length in bytes. */
export function signedText(payloadType: string, payload: string): string {
  return `DSSEv1 ${byteLength(payloadType)} ${payloadType} ${byteLength(payload)} ${payload}`;
}

/** How many bytes a text takes in UTF-8. A half surrogate counts as the character that replaces it. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += lengths.find(({ below }) => code < below)?.bytes ?? 4;
  }
  return bytes;
}

const lengths = [
  { below: 0x80, bytes: 1 },
  { below: 0x800, bytes: 2 },
  { below: 0x10000, bytes: 3 },
];
