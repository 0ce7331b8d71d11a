import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { readXml } from "./xml-reader.ts";

fc.configureGlobal({ seed: propertySeed });

/** `a(k=v) b /b /a`, or the fault. */
function outline(text: string): string {
  const words = [...readXml(text)].map((event) => {
    if (event.kind === "fault") return event.problem;
    if (event.kind === "close") return `/${event.name}`;
    const values = [...event.attributes].map(([key, value]) => `${key}=${value}`).join(",");
    return values === "" ? event.name : `${event.name}(${values})`;
  });
  return words.join(" ");
}

describe("an XML text", () => {
  const check = (text: string, expected: string): void => expect(outline(text)).toBe(expected);

  it.each([
    ["<a/>", "a /a"],
    ["\uFEFF<?xml version='1.0'?>\n<a><!-- <b> --><b></b></a>\n", "a b /b /a"],
    ["<a k='1' l = \"2\" />", "a(k=1,l=2) /a"],
    ["<a>text ]]> > &nope; <![CDATA[<b> ]] ]]></a >", "a /a"],
    ["<a k='&lt;&amp;lt;&#65;&#x1F389;&apos;&quot;&gt;'/>", "a(k=<&lt;A🎉'\">) /a"],
    ["<a k='line\nbreak'/>", "a(k=line\nbreak) /a"],
    ["<zählt.x-1 ä='1'/>", "zählt.x-1(ä=1) /zählt.x-1"],
  ])("%j is read as %s", (text, expected) => check(text, expected));

  it.each([
    ["", "ends too early"],
    ["   ", "ends too early"],
    ["words", "has text outside of its elements"],
    ["<a/>words", "a /a has text outside of its elements"],
    ["words<a/>", "has text outside of its elements"],
    ["<a", "ends too early"],
    ["<a>", "a ends too early"],
    ["<a k='1", "ends too early"],
    ["<a><!-- b", "a ends too early"],
    ["<a><![CDATA[ b", "a ends too early"],
    ["<a></b>", "a closes <b> where it is not open"],
    ["</a>", "closes <a> where it is not open"],
    ["<a/><b/>", "a /a has more than one root element"],
    ["<a k/>", "has an attribute without a value"],
    ["<a k=1/>", "has an attribute without a value"],
    ["<a k='1'l='2'/>", "has a broken <a>"],
    ["<a k='1' k='2'/>", "has a <a> with two values of k"],
    ["<a k='<'/>", "has a value that is not XML"],
    ["<a k='&nope;'/>", "has a value that is not XML"],
    ["<a k='a & b'/>", "has a value that is not XML"],
    ["<a k='&#0;'/>", "has a value that is not XML"],
    ["<a k='&#x110000;'/>", "has a value that is not XML"],
    ["<a k='&toString;'/>", "has a value that is not XML"],
    ["<1/>", "has a tag without a name"],
    ["\u0000<\u0000a\u0000/\u0000>\u0000", "has text outside of its elements"],
    ["<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><a k='&d;'/>", "declares a document type"],
  ])("%j gives a fault and no more", (text, expected) => check(text, expected));

  it("may not be nested without end", () => {
    expect(outline("<a>".repeat(100_000))).toMatch(/is nested more than 200 deep$/);
  });

  it("gives events for any text and never throws", () => {
    const parts = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "b",
      "=",
      '"',
      "'",
      " ",
      "&amp;",
      "&",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
        const events = [...readXml(words.join(""))];
        expect(events.slice(0, -1).every((event) => event.kind !== "fault")).toBe(true);
      }),
    );
  });

  it.each(["<a ", "<a k='", "<!--", "<![CDATA[", "&", "<a k='&amp;", "</", "<a><"])(
    "of a million characters that repeat %j is read at once",
    (piece) => {
      const text = `<r>${piece.repeat(Math.ceil(1_000_000 / piece.length))}`;
      expect([...readXml(text)].at(-1)?.kind).toBe("fault");
    },
  );
});
