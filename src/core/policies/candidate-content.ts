/** The attributes by which git converts a file, as `git check-attr` says them: `set`, `unset`, `unspecified` or a value. */
export type ConversionAttributes = {
  text: string;
  crlf: string;
  eol: string;
  ident: string;
  "working-tree-encoding": string;
  filter: string;
};

/** How the user's configuration converts files. */
export type ConversionSettings = {
  autocrlf: "true" | "input" | "false";
  /** Whether a text file gets carriage returns where no attribute says it. */
  isCrlf: boolean;
  /** Filters that the user had set up before the run; those with a way back bring the file back as it was. */
  filters: readonly { name: string; hasWayBack: boolean }[];
};

/** A file of the work tree and what the candidate holds of it. */
export type ConvertedFile = {
  attributes: ConversionAttributes;
  settings: ConversionSettings;
  /** Whether the attributes are those of the start commit: then other encodings and filters are the user's own affair. */
  areAttributesFormer: boolean;
  /** One character for each byte; null when it is too large to look at. */
  content: string | null;
  /** Whether the candidate holds exactly these bytes for it; `null`: the bytes of the file. */
  isObject: (content: string | null) => boolean;
};

/**
 * Whether a checkout of the candidate writes the file as the checks saw it, byte for byte. The hash that `ident` fills in is
 * the only exception: git leaves an old one in the work tree itself.
 */
export function isSameInCheckout(file: ConvertedFile): boolean {
  const { attributes, settings, content, isObject } = file;
  const encoding = attributes["working-tree-encoding"];
  if (isSpecified(encoding) && !/^utf-?8$/i.test(encoding)) return file.areAttributesFormer;
  const filter = settings.filters.find(({ name }) => name === attributes.filter);
  if (filter !== undefined && (filter.hasWayBack || file.areAttributesFormer)) return true;
  const ends = lineEndsOf(attributes, settings);
  const hasIdent = attributes.ident === "set";
  if (!hasIdent && !ends.isCrlf && isObject(null)) return true;
  if (content === null) return isObject(null);
  const withoutIdent = hasIdent ? collapsed(content, anyIdent) : content;
  const held = [content, withoutIdent, lineFeeds(content), lineFeeds(withoutIdent)].find(isObject);
  if (held === undefined) return false;
  const written = hasIdent ? collapsed(held, anyIdent) : held;
  const seen = hasIdent ? collapsed(content, hashIdent) : content;
  const isWritten = (isCrlf: boolean): boolean => seen === (isCrlf ? carriageReturns(written, ends.isAuto) : written);
  return isWritten(ends.isCrlf) || (ends.isOpen && isWritten(!ends.isCrlf));
}

/** Whether any attribute may convert a file. */
export function isSpecified(value: string): boolean {
  return value !== "unspecified" && value !== "unset";
}

/** `isOpen`: other users may get other line ends, by their own configuration. */
type LineEnds = { isCrlf: boolean; isAuto: boolean; isOpen: boolean };

function lineEndsOf({ text, crlf, eol }: ConversionAttributes, settings: ConversionSettings): LineEnds {
  const kind = text === "unspecified" ? crlf : text;
  const asIs = { isCrlf: false, isAuto: false, isOpen: false };
  if (kind === "unset") return asIs;
  if (eol === "lf" || eol === "crlf") return { isCrlf: eol === "crlf", isAuto: kind === "auto", isOpen: false };
  if (kind === "input") return asIs;
  // Where the user's own configuration gives carriage returns, files with line feeds alone are the same to everybody else.
  if (kind === "set" || kind === "auto")
    return { isCrlf: settings.isCrlf, isAuto: kind === "auto", isOpen: settings.isCrlf };
  return settings.autocrlf === "true" ? { isCrlf: true, isAuto: true, isOpen: true } : asIs;
}

const anyIdent = /\$Id(?::[^\n$]*)?\$/g;
const hashIdent = /\$Id(?:: (?:[0-9a-f]{40}|[0-9a-f]{64}) )?\$/g;

function collapsed(content: string, ident: RegExp): string {
  return content.replaceAll(ident, "$$Id$$");
}

function lineFeeds(content: string): string {
  return content.replaceAll("\r\n", "\n");
}

/** As git writes them: with `auto` only into a text without any carriage return. */
function carriageReturns(content: string, isAuto: boolean): string {
  return isAuto && (content.includes("\r") || isBinary(content)) ? content : content.replaceAll(/(?<!\r)\n/g, "\r\n");
}

/** By git's own measure: a zero byte, or more than one unprintable byte in 128. */
function isBinary(content: string): boolean {
  if (content.includes("\0")) return true;
  // oxlint-disable-next-line no-control-regex -- these are the bytes that git counts
  const unprintable = content.replace(/\x1a$/, "").match(/[\x01-\x07\x0b\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  const printable = content.length - unprintable - (content.match(/[\r\n]/g)?.length ?? 0);
  return Math.floor(printable / 128) < unprintable;
}
