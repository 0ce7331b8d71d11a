import { describe, expect, it } from "vitest";
import { type ConversionAttributes, type ConversionSettings, isSameInCheckout } from "./candidate-content.ts";

const plain: ConversionAttributes = {
  text: "unspecified",
  crlf: "unspecified",
  eol: "unspecified",
  ident: "unspecified",
  "working-tree-encoding": "unspecified",
  filter: "unspecified",
};
const noSettings: ConversionSettings = { autocrlf: "false", isCrlf: false, filters: [] };
const hash = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

type Given = {
  file: string;
  held?: string;
  attributes?: Partial<ConversionAttributes>;
  settings?: Partial<ConversionSettings>;
  areAttributesFormer?: boolean;
};

/** A file, what the candidate holds of it (the same unless told), and how git converts it. */
function check({ file, held = file, attributes, settings, areAttributesFormer = false }: Given): boolean {
  return isSameInCheckout({
    attributes: { ...plain, ...attributes },
    settings: { ...noSettings, ...settings },
    areAttributesFormer,
    content: file,
    isObject: (content) => (content ?? file) === held,
  });
}

describe("a checkout writes the bytes that the checks saw", () => {
  it.each<[string, Given]>([
    ["without any attribute", { file: "a\r\nb\n" }],
    ["with text=auto and line feeds", { file: "a\n", attributes: { text: "auto" } }],
    ["with eol=crlf and carriage returns", { file: "a\r\n", held: "a\n", attributes: { text: "set", eol: "crlf" } }],
    ["with eol=crlf and carriage returns in the commit too", { file: "a\r\n", attributes: { eol: "crlf" } }],
    ["with text=auto eol=crlf and a binary file", { file: "\0\n", attributes: { text: "auto", eol: "crlf" } }],
    ["with -text and carriage returns", { file: "a\r\n", attributes: { text: "unset", eol: "crlf" } }],
    ["with ident and nothing to fill in", { file: "a\n", attributes: { ident: "set" } }],
    ["with ident and a hash", { file: `$Id: ${hash} $\n`, held: "$Id$\n", attributes: { ident: "set" } }],
    ["with ident before the first checkout", { file: "$Id$\n", attributes: { ident: "set" } }],
    ["with the word ident and no attribute", { file: "$Id: GOOD $\n" }],
    [
      "with core.autocrlf and either line end",
      { file: "a\r\n", held: "a\n", settings: { autocrlf: "true", isCrlf: true } },
    ],
    ["with core.autocrlf and line feeds", { file: "a\n", settings: { autocrlf: "true", isCrlf: true } }],
    [
      "with text=auto, core.autocrlf and line feeds",
      { file: "a\n", attributes: { text: "auto" }, settings: { isCrlf: true } },
    ],
    [
      "with a filter that has a way back",
      { file: "a", held: "b", attributes: { filter: "x" }, settings: { filters: [{ name: "x", hasWayBack: true }] } },
    ],
    [
      "with a filter that the project had before",
      {
        file: "a",
        held: "b",
        attributes: { filter: "x" },
        settings: { filters: [{ name: "x", hasWayBack: false }] },
        areAttributesFormer: true,
      },
    ],
    ["with a filter that nobody has set up", { file: "a", attributes: { filter: "x" } }],
    [
      "with an encoding that the project had before",
      { file: "a\0", held: "a", attributes: { "working-tree-encoding": "UTF-16LE" }, areAttributesFormer: true },
    ],
    ["with git's own encoding", { file: "a", attributes: { "working-tree-encoding": "UTF-8" } }],
  ])("%s", (_, given) => expect(check(given)).toBe(true));
});

describe("a checkout writes other bytes than the checks saw", () => {
  it.each<[string, Given]>([
    ["with ident in a text of the agent", { file: "$Id: GOOD $\n", held: "$Id$\n", attributes: { ident: "set" } }],
    ["with ident and a text that the commit holds", { file: "$Id: GOOD $\n", attributes: { ident: "set" } }],
    ["with eol=lf and carriage returns", { file: "a\r\n", held: "a\n", attributes: { text: "set", eol: "lf" } }],
    ["with text=auto and carriage returns", { file: "a\r\n", held: "a\n", attributes: { text: "auto" } }],
    ["with eol=crlf and line feeds", { file: "a\n", attributes: { eol: "crlf" } }],
    ["with text=auto eol=crlf and line feeds", { file: "a\n", attributes: { text: "auto", eol: "crlf" } }],
    ["with eol=crlf and both line ends", { file: "a\r\nb\n", held: "a\nb\n", attributes: { eol: "crlf" } }],
    ["with the old name of the attribute", { file: "a\r\n", held: "a\n", attributes: { crlf: "input" } }],
    ["with attributes that are not delivered", { file: "a\r\n", held: "a\n" }],
    ["with core.autocrlf=input and carriage returns", { file: "a\r\n", held: "a\n", settings: { autocrlf: "input" } }],
    ["with an encoding of the run", { file: "a", attributes: { "working-tree-encoding": "UTF-7" } }],
    [
      "with a filter of the user that the run applies",
      { file: "a", held: "b", attributes: { filter: "x" }, settings: { filters: [{ name: "x", hasWayBack: false }] } },
    ],
  ])("%s", (_, given) => expect(check(given)).toBe(false));
});
