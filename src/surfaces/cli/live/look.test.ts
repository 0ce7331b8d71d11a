import { describe, expect, it } from "vitest";
import { settingsSchema } from "../../../core/settings/settings.ts";
import { displayOptions, lookOf } from "./display-options.ts";
import { chooseMarks, emojiMarks, textMarks } from "../terminal/marks.ts";
import { isColoured } from "../terminal/paint.ts";
import { createStderrLines } from "./stderr-lines.ts";

describe("colours", () => {
  it.each([
    ["are there on a terminal", true, {}, true],
    ["are not in a pipe or a file", false, {}, false],
    ["are off with NO_COLOR", true, { NO_COLOR: "1" }, false],
    ["are not off with an empty NO_COLOR", true, { NO_COLOR: "" }, true],
    ["are on with FORCE_COLOR, also in a pipe", false, { FORCE_COLOR: "1" }, true],
    ["are on with an empty FORCE_COLOR", false, { FORCE_COLOR: "" }, true],
    ["are off with FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
    ["are on when both are set", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    ["are off on a dumb terminal", true, { TERM: "dumb" }, false],
  ])("%s (S1-77)", (_, isTerminal, env, expected) => {
    expect(isColoured(isTerminal, env)).toBe(expected);
  });
});

describe("marks", () => {
  it.each([
    ["emoji in UTF-8", "auto" as const, { LANG: "de_DE.UTF-8", TERM: "xterm" }, emojiMarks],
    ["emoji in utf8, as some spell it", "auto" as const, { LC_ALL: "C.utf8" }, emojiMarks],
    ["text in another encoding", "auto" as const, { LANG: "de_DE.ISO-8859-1" }, textMarks],
    ["text where nobody says", "auto" as const, {}, textMarks],
    ["text when the stronger variable says so", "auto" as const, { LC_ALL: "C", LANG: "C.UTF-8" }, textMarks],
    ["emoji when the stronger variable is empty", "auto" as const, { LC_ALL: "", LANG: "C.UTF-8" }, emojiMarks],
    ["text on the console of Linux", "auto" as const, { LANG: "C.UTF-8", TERM: "linux" }, textMarks],
    ["text on a dumb terminal", "auto" as const, { LANG: "C.UTF-8", TERM: "dumb" }, textMarks],
    ["what was asked for: emoji", "emoji" as const, { TERM: "dumb" }, emojiMarks],
    ["what was asked for: text", "text" as const, { LANG: "C.UTF-8" }, textMarks],
  ])("are %s (S1-77)", (_, wanted, env, expected) => {
    expect(chooseMarks(wanted, env)).toBe(expected);
  });

  it("of text are the document's (S1-77)", () => {
    expect([textMarks.ok, textMarks.error]).toEqual(["[OK]", "[ERR]"]);
  });
});

describe("display options", () => {
  it("are quiet about nothing by default, and read what is given (S1-77)", () => {
    expect(displayOptions({})).toEqual({
      isJson: false,
      isQuiet: false,
      isVerbose: false,
      hasTimestamps: false,
      marks: null,
      outputLinesMax: null,
      outputCharsMax: null,
      hasReasoning: false,
    });
    const limits = { maxOutputLines: "0", maxOutputChars: "20" };
    const given = { quiet: true, timestamps: true, marks: "text", showReasoning: true, ...limits };
    expect(displayOptions(given)).toMatchObject({
      isQuiet: true,
      hasTimestamps: true,
      marks: "text",
      outputLinesMax: 0,
      outputCharsMax: 20,
      hasReasoning: true,
    });
  });

  const utf8 = { LANG: "C.UTF-8" };
  const look = (display: object, given: Record<string, unknown> = {}) =>
    lookOf(settingsSchema.parse({ display }), displayOptions(given), utf8);

  it("are settings too, with the document's names (S1-77)", () => {
    const plain = {
      hasColours: null,
      hasTimestamps: false,
      isDated: false,
      outputLinesMax: 5,
      outputCharsMax: 500,
      hasReasoning: false,
    };
    expect(look({})).toEqual({ marks: emojiMarks, ...plain });
    const display = { useEmoji: false, useColor: false, showTimestamp: true, maxOutputLines: 1, maxOutputChars: 0 };
    const set = {
      hasColours: false,
      hasTimestamps: true,
      isDated: false,
      outputLinesMax: 1,
      outputCharsMax: 0,
      hasReasoning: true,
    };
    expect(look({ ...display, showReasoning: true })).toEqual({ marks: textMarks, ...set });
  });

  it("of the command line override the settings (S1-07, S1-77)", () => {
    const set = { useEmoji: false, maxOutputLines: 1, maxOutputChars: 2 };
    const given = { marks: "emoji", maxOutputLines: "3", maxOutputChars: "4" };
    expect(look(set, given)).toMatchObject({ marks: emojiMarks, outputLinesMax: 3, outputCharsMax: 4 });
    expect(look(set, { marks: "auto" }).marks).toBe(emojiMarks);
  });

  it("are the defaults in a run that an older version stored (S1-77)", () => {
    expect(lookOf({}, displayOptions({}), utf8)).toEqual(look({}));
  });

  it.each([{ marks: "ascii" }, { maxOutputLines: "-1" }, { maxOutputLines: "many" }, { maxOutputChars: "1.5" }])(
    "refuse %o with the value found (R-53)",
    (options) => {
      expect(() => displayOptions(options)).toThrow(`found "${Object.values(options)[0]}"`);
    },
  );
});

describe("what the agent prints on standard error", () => {
  function printed(...chunks: (string | Uint8Array)[]): string {
    let text = "";
    const lines = createStderrLines((part) => void (text += part));
    for (const chunk of chunks) lines.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
    lines.end();
    return text;
  }

  it("is shown in whole lines that nobody takes for ralph's (S1-66)", () => {
    expect(printed("[ralph] com", "pleted\nwarn", "ing")).toBe("[agent] [ralph] completed\n[agent] warning\n");
  });

  it("does nothing to the terminal, and a letter may come in two pieces (S1-66)", () => {
    const bytes = new TextEncoder().encode("é\u001B[2J\n");
    expect(printed(bytes.slice(0, 1), bytes.slice(1))).toBe("[agent] é\n");
  });

  it("is not collected without end when it has no line break (S1-66)", () => {
    let longest = 0;
    const lines = createStderrLines((part) => (longest = Math.max(longest, part.length)));
    for (let count = 0; count < 100; count++) lines.push(new TextEncoder().encode("x".repeat(1000)));
    expect(longest).toBeLessThan(6000);
    expect(longest).toBeGreaterThan(4096);
  });
});
