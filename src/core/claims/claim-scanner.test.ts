import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaimReport, noClaims } from "./claim-report.ts";
import { type ClaimOptions, createClaimScanner } from "./claim-scanner.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

const defaults: ClaimOptions = { expected: "DONE", placement: "own-sentence", signals: ["promise", "response"] };
const tag = "<promise>DONE</promise>";

function scan(text: string | [chunk: string, messageId: string][], options: Partial<ClaimOptions> = {}): ClaimReport {
  const scanner = createClaimScanner({ ...defaults, ...options });
  const pieces = typeof text === "string" ? [[text, "a"] as const] : text;
  for (const [chunk, messageId] of pieces) scanner.text(chunk, messageId);
  return scanner.report();
}

function judge(text: string, options: Partial<ClaimOptions> = {}): "claim" | "mention" | "nothing" | "other" {
  const { isPromised, isMentioned, ...others } = scan(text, options);
  if (Object.values(others).some((value) => value !== null) || (isPromised && isMentioned)) return "other";
  if (isPromised) return "claim";
  return isMentioned ? "mention" : "nothing";
}

describe("the text of a tag (S1-49, CW-1B, R-10, R-11)", () => {
  it.each([
    ["<promise>  done\t</promise>", "DONE"],
    ["<PROMISE>Done</Promise>", "DONE"],
    ["<promise>\n\n  DONE\n</promise>", "DONE"],
    ["<promise>\r\nDONE\r\n</promise>\r\n", "DONE"],
    ["<promise>A.B*(1)</promise>", "a.b*(1)"],
    ["<promise>$& $1 \\d+ [x] ^$</promise>", "$& $1 \\d+ [x] ^$"],
    [`<promise>it's "all" 'done'</promise>`, `IT'S "ALL" 'DONE'`],
    ["<promise>two\r\nlines</promise>", "two\nlines"],
    ["<promise>STRASSE ΟΔΟΣ</promise>", "straße οδος"],
    ["<promise>cafe\u0301 🎉</promise>", "CAF\u00c9 🎉"],
    ["<promise>{{PROMPT}}</promise>", "{{PROMPT}}"],
    ["<promise>1 < 2</promise>", "1 < 2"],
    ["<promise>BLOCKED: by design</promise>", "blocked: by design"],
    ["<promise>DONE</promise>", "  DONE "],
  ])("%j equals %j", (text, expected) => expect(judge(text, { expected })).toBe("claim"));

  it.each([
    ["<promise>A.B*(1)</promise>", "AxBB1"],
    ["<promise>DONE!</promise>", "DONE"],
    ["<promise>ALL DONE</promise>", "DONE"],
  ])("%j is a wrong promise for %j", (text, expected) => {
    const report = scan(text, { expected });
    expect(report.isPromised).toBe(false);
    expect(report.wrongPromise).toBe(/>(.*)</.exec(text)?.[1]);
  });

  it("takes a tag's content up to 4096 characters, and no more", () => {
    const start = `<promise>${"\n".repeat(4092)}`;
    expect(judge(`${start}DONE</promise>`)).toBe("claim");
    expect(judge(`${start}\nDONE</promise>`)).toBe("nothing");
  });

  it("finds the tag behind an opening tag that nobody closed", () => {
    expect(judge(`I use the \`<promise>\` tag.\nAll done.\n${tag}`)).toBe("claim");
    expect(judge(`<promise>\n<response>\n${tag}`)).toBe("claim");
    expect(judge(`<promise>\n${"word\n".repeat(2000)}${tag}`)).toBe("claim");
    expect(judge(`<promise>\n\`\`\`\ncode\n\`\`\`\n</promise>\n${tag}`)).toBe("claim");
  });

  it("does not lose a tag to control characters or long lines around it (R-07)", () => {
    expect(judge(`\u0000\u0001\uFFFD{"broken\n${tag}\n\u001b\ud800`)).toBe("claim");
    expect(judge(`${"x".repeat(1_000_000)}\n${tag}\n${"y".repeat(1_000_000)}`)).toBe("claim");
  });
});

describe("several tags (S1-48, S1-50, CB-01, CB-04, R-12)", () => {
  it.each<[string, Partial<ClaimReport>]>([
    ["<response>DONE</response>", { response: "DONE" }],
    ["<response>NOT YET</response> .. <response>DONE</response>", { response: "NOT YET" }],
    ["<response>NOT YET</response>\nmore\n<response>DONE</response>", { response: "NOT YET" }],
    ["I print <response>NOT YET</response> first.\n<response>DONE</response>", { response: "DONE" }],
    ["<response></response>\n<response>DONE</response>", { response: "DONE" }],
    [`<response>NOT YET</response> ${tag}`, { response: "NOT YET", isPromised: true }],
    [`${tag} <response>DONE</response>`, { response: "DONE", isPromised: true }],
    [`\`${tag}\` \`<response>DONE</response>\``, { response: "DONE", isPromised: true }],
    [`All done. ${tag} <response>DONE</response>`, { response: "DONE", isPromised: true }],
    [`I print ${tag} <response>DONE</response>`, { isMentioned: true }],
    [`I print ${tag}. ${tag}`, { isPromised: true }],
    [`<promise>ALMOST</promise>\n${tag}`, { wrongPromise: "ALMOST", isPromised: true }],
    [`<promise>ALMOST</promise>\n<promise>LATER</promise>`, { wrongPromise: "ALMOST" }],
    ["<promise>ALMOST</promise> is what I say", {}],
    ["<promise>BLOCKED: no key\nat all</promise>", { blocked: "no key\nat all" }],
    ["<promise>blocked:</promise>", { blocked: "no reason given" }],
    ["<promise>BLOCKED</promise>", { blocked: "no reason given" }],
    ["<promise>BLOCKED: a</promise>\n<promise>BLOCKED: b</promise>", { blocked: "a" }],
    ["<promise>DECIDE: A or B?</promise>", { question: "A or B?" }],
    ["<promise>DECIDE</promise>", { question: "no question given" }],
    ["<promise>BLOCKEDNESS: x</promise>", { wrongPromise: "BLOCKEDNESS: x" }],
    ["I do not say <promise>BLOCKED: x</promise> yet", {}],
  ])("%j", (text, expected) => expect(scan(text)).toEqual({ ...noClaims, ...expected }));

  it("reads only the tags that count, the others are marks", () => {
    const both = `<response>NOT YET</response> ${tag}`;
    expect(scan(both, { signals: ["promise"] })).toEqual({ ...noClaims, isPromised: true });
    expect(scan(both, { signals: ["response"] })).toEqual({ ...noClaims, response: "NOT YET" });
    expect(scan(`I print ${tag}`, { signals: ["response"] })).toEqual(noClaims);
  });
});

describe("messages and pieces (R-05, R-06)", () => {
  it("joins pieces of one message by nothing and messages by a newline", () => {
    expect(
      scan([
        ["All done. <pro", "a"],
        ["mise>DO", "a"],
        ["NE</promise>", "a"],
      ]).isPromised,
    ).toBe(true);
    expect(
      scan([
        ["I will print", "a"],
        [tag, "b"],
      ]).isPromised,
    ).toBe(true);
    expect(
      scan([
        ["I will print", "a"],
        [tag, "a"],
      ]).isPromised,
    ).toBe(false);
    expect(
      scan([
        ["<promise>", "a"],
        ["DONE</promise>", "b"],
      ]).isPromised,
    ).toBe(true);
    expect(
      scan([
        ["<promise>DO", "a"],
        ["NE</promise>", "b"],
      ]).wrongPromise,
    ).toBe("DO\nNE");
  });

  it.each([
    ["a tag", `All done. ${tag}`, "DONE"],
    ["an emoji behind a tag", `${tag} 🎉`, "DONE"],
    ["an emoji before a tag", `All tests pass 👩🏽‍💻 ${tag}`, "DONE"],
    ["a line end in a tag", "<promise>two\r\nlines</promise>", "two\nlines"],
    ["a fence", `\`\`\`text\r\n${tag}\r\n\`\`\`\r\n`, "DONE"],
    ["a code span", `\`${tag}\``, "DONE"],
  ])("finds a claim cut anywhere in two: %s (S1-73, R-06)", (_, text, expected) => {
    const cuts = Array.from({ length: text.length + 1 }, (__, at) => [text.slice(0, at), text.slice(at)] as const);
    const lost = cuts.filter(
      ([first, second]) =>
        !scan(
          [
            [first, "a"],
            [second, "a"],
          ],
          { expected },
        ).isPromised,
    );
    expect(lost).toEqual([]);
  });

  it("finds a claim of the longest content whose closing tag is cut", () => {
    const start = `<promise>${" ".repeat(4092)}DONE`;
    expect(
      scan([
        [`${start}</pro`, "a"],
        ["mise>", "a"],
      ]).isPromised,
    ).toBe(true);
    expect(
      scan([
        [start, "a"],
        ["</promise>", "a"],
      ]).isPromised,
    ).toBe(true);
  });

  it("keeps a promise that many messages follow (R-05)", () => {
    const later = Array.from({ length: 500 }, (_, index): [string, string] => [`Step ${index} ran`, `m${index}`]);
    expect(scan([[tag, "first"], ...later]).isPromised).toBe(true);
  });

  it("does not take a message's first words for the end of the line before it", () => {
    expect(
      scan([
        [tag, "a"],
        ["is what I print", "a"],
      ]).isPromised,
    ).toBe(false);
    expect(
      scan([
        [tag, "a"],
        ["is what I print", "b"],
      ]).isPromised,
    ).toBe(true);
  });

  it("reports in the middle of a tag without losing it", () => {
    const scanner = createClaimScanner(defaults);
    scanner.text("<promise>DO", "a");
    expect(scanner.report()).toEqual(noClaims);
    scanner.text("NE</promise>", "a");
    expect(scanner.report().isPromised).toBe(true);
    scanner.text(" or not", "a");
    expect(scanner.report()).toEqual({ ...noClaims, isMentioned: true });
  });

  it("judges no line above 16 MiB, and the next one again", () => {
    const scanner = createClaimScanner(defaults);
    const piece = `${"x".repeat(1024 * 1024 - 1)}.`;
    for (let count = 0; count < 17; count += 1) scanner.text(piece, "a");
    scanner.text(`All done. ${tag}\n`, "a");
    expect(scanner.report()).toEqual({ ...noClaims, isMentioned: true });
    scanner.text(tag, "a");
    expect(scanner.report()).toEqual({ ...noClaims, isPromised: true });
  });

  const words = fc.constantFrom(
    "<promise>",
    "</promise>",
    "<response>",
    "</response>",
    "DONE",
    "NOT YET",
    "BLOCKED: x",
  );
  const marks = fc.constantFrom(
    "\n",
    "\r\n",
    "\r",
    " ",
    "`",
    "```",
    "~~~",
    "> ",
    "- ",
    "| ",
    '"',
    "“",
    "”",
    "🎉",
    "❤️",
    "<",
  );
  const phrases = fc.constantFrom(tag, "All done.", "Status:", "I print", "**", "1. ");
  const texts = fc.oneof(
    fc.array(fc.oneof(words, marks, phrases), { maxLength: 30 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const placements = fc.constantFrom<ClaimOptions["placement"]>("own-sentence", "own-line", "anywhere");

  it("finds the same however the text is cut (S1-73, R-06)", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(8), { minLength: 1, maxLength: 20 }), placements, (text, sizes, placement) => {
        const pieces: [string, string][] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          pieces.push([text.slice(at, at + size), "a"]);
          at += size;
        }
        expect(scan(pieces, { placement })).toEqual(scan(text, { placement }));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds the same in messages whose first piece stays unread as in those that are read at once", () => {
    const message = fc.array(fc.oneof(phrases, texts), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), placements, (messages, placement) => {
        const pieces = messages.flatMap((parts, index) => parts.map((text): [string, string] => [text, `m${index}`]));
        // Behind an empty first piece nothing stays unread.
        const readAtOnce = messages.flatMap((parts, index) =>
          ["", ...parts].map((text): [string, string] => [text, `m${index}`]),
        );
        expect(scan(pieces, { placement })).toEqual(scan(readAtOnce, { placement }));
      }),
      { numRuns: 1000 },
    );
  });

  it("never throws, and finds a tag on its own line behind any other message", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 5 }), placements, (before, placement) => {
        const pieces = before.map((text, index): [string, string] => [`${text}\n</promise></response>\n`, `m${index}`]);
        expect(scan([...pieces, [tag, "last"]], { placement }).isPromised).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
