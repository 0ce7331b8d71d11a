import type { ClaimReport } from "./claim-report.ts";
import { addFound, createTagReader, type Found, toClaimReport } from "./found-claims.ts";
import { createSpentTags, type SpentTags } from "./spent-tags.ts";
import { canKeepWaiting, hasFenceLine, lexTags, type Tag, type TagName } from "./tag-lexer.ts";
import {
  endMessage,
  forkPlacement,
  isFenced,
  type Placement,
  placeTag,
  placeText,
  startPlacement,
} from "./tag-placement.ts";

/** What to look for, and where it must stand. */
export type ClaimOptions = {
  expected: string;
  placement: "own-sentence" | "own-line" | "anywhere";
  signals: readonly TagName[];
};

/**
 * Finds claims in visible text of the main thread while it streams by. Memory stays flat however long the text is.
 * Pieces may be cut anywhere; `report` may be asked at any time and does not end the scan.
 */
export type ClaimScanner = {
  text(chunk: string, messageId: string): void;
  report(): ClaimReport;
};

/** Starts a scan of one turn. */
export function createClaimScanner(options: ClaimOptions): ClaimScanner {
  const scan: Scan = {
    options,
    readTag: createTagReader(options.expected, options.signals),
    messageId: null,
    edge: "",
    held: "",
    unread: "",
    spent: createSpentTags(),
    place: startPlacement(options.placement === "own-line" ? "own-line" : "own-sentence"),
  };
  return {
    text(chunk, messageId) {
      const isFirst = scan.messageId !== messageId;
      if (isFirst && scan.messageId !== null) endMessageOf(scan);
      scan.messageId = messageId;
      if (isFirst && scan.held === "" && canStayUnread(scan, chunk)) {
        scan.unread = chunk;
        return;
      }
      readUnread(scan);
      feed(scan, takeEdge(scan, chunk));
    },
    report() {
      const fork: Scan = { ...scan, place: forkPlacement(scan.place) };
      finish(fork);
      return toClaimReport(fork.place.found);
    },
  };
}

type Scan = {
  options: ClaimOptions;
  readTag: (tag: Tag) => Found;
  messageId: string | null;
  /** Half of a line end or of a character, from the end of the last piece. */
  edge: string;
  /** What may become a tag. */
  held: string;
  /** The first piece of the message, while no other has come, where it holds no part of a tag. */
  unread: string;
  spent: SpentTags;
  place: Placement;
};

/** A longer piece would stay in memory until the next one comes. */
const unreadCharsMax = 64 * 1024;

/**
 * Most messages come in one piece without a new tag. Such a message says nothing, and what it leaves behind ends with it: it is
 * read only when more of it comes, because the place of a later tag depends on it.
 */
function canStayUnread({ spent, place }: Scan, chunk: string): boolean {
  if (chunk.length > unreadCharsMax) return false;
  return !chunk.includes("<") || spent.sayNothingNew(chunk, place.found);
}

function readUnread(scan: Scan): void {
  if (scan.unread === "") return;
  const text = scan.unread;
  scan.unread = "";
  feed(scan, takeEdge(scan, text));
}

function endMessageOf(scan: Scan): void {
  scan.unread = "";
  // A tag may reach over messages, as their texts are joined by a newline; a fence may not.
  if (scan.edge !== "") feed(scan, toNewlines(scan.edge));
  scan.edge = "";
  if (scan.held !== "" && !isFenced(scan.place) && !hasFenceLine(scan.held)) return feed(scan, "\n");
  finish(scan);
}

function finish(scan: Scan): void {
  const rest = scan.held + toNewlines(scan.edge);
  scan.held = "";
  scan.edge = "";
  if (rest !== "") take(scan, rest, true);
  endMessage(scan.place);
}

function takeEdge(scan: Scan, chunk: string): string {
  const text = scan.edge + chunk;
  const last = text.charCodeAt(text.length - 1);
  const isCut = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
  scan.edge = isCut ? text.slice(-1) : "";
  return toNewlines(isCut ? text.slice(0, -1) : text);
}

function toNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Passes over whole lines that cannot change the report. */
function feed(scan: Scan, text: string): void {
  const first = text.indexOf("\n");
  const last = first === -1 ? -1 : text.lastIndexOf("\n");
  if (last === first) return read(scan, text);
  read(scan, text.slice(0, first + 1));
  const lines = text.slice(first + 1, last + 1);
  if (!canPassOver(scan, lines)) read(scan, lines);
  read(scan, text.slice(last + 1));
}

function canPassOver({ held, place, spent }: Scan, lines: string): boolean {
  const isAtLineStart = held === "" && place.line.length === 0 && place.fence === null;
  return isAtLineStart && spent.sayNothingNew(lines, place.found);
}

function read(scan: Scan, text: string): void {
  if (text === "") return;
  if (canKeepWaiting(scan.held, text)) scan.held += text;
  else scan.held = take(scan, scan.held + text, false);
}

function take(scan: Scan, text: string, isEnded: boolean): string {
  const { placement } = scan.options;
  return lexTags(text, isEnded, (token) => {
    if (typeof token === "string") {
      if (placement !== "anywhere") placeText(scan.place, token);
      return;
    }
    const tag = scan.readTag(token);
    scan.spent.note(token, tag);
    if (placement === "anywhere") scan.place.found = addFound(scan.place.found, tag);
    else placeTag(scan.place, tag);
  });
}
