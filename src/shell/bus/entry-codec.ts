import { crc32 } from "node:zlib";
import { parse } from "yaml";
import type { EntryReading } from "../../core/bus/read-entry.ts";
import type { EntryWriting } from "../../core/bus/render-entry.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What the entry format needs of this machine. Headers of our own never reach the YAML parser. */
export const entryCodec: EntryReading & EntryWriting = {
  encode: (text) => Buffer.from(text, "utf8"),
  decode: (bytes) => decoder.decode(bytes),
  crc32: (bytes) => crc32(bytes),
  parseYaml: (text) => parse(text, { logLevel: "error" }) as unknown,
};
