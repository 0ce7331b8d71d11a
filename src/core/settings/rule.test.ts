import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as zod from "zod";
import { propertySeed } from "../../../tests/property-seed.ts";
import type { Issue, JsonSchema } from "./rule.ts";
import { describeValues, objectOrList, schemaAt, settingsJsonSchema } from "./setting-schema.ts";
import { settingsSchema } from "./settings.ts";

/** The same declaration, made of zod: what our rules have to agree with. */
let reference: zod.ZodObject;

beforeAll(async () => {
  const made = (await import(/* @vite-ignore */ madeOfZod("settings.ts"))) as { settingsSchema: zod.ZodObject };
  reference = made.settingsSchema;
});

/** The address of a file of this folder, and of those beside it that declare settings, with zod instead of our rules. */
function madeOfZod(name: string): string {
  const source = readFileSync(join(import.meta.dirname, name), "utf8");
  const code = stripTypeScriptTypes(source).replaceAll(/(?<=from ")\.[^"]+/g, (path) => {
    if (path === "./rule.ts") return import.meta.resolve("zod");
    if (path.startsWith("./")) return madeOfZod(path);
    return pathToFileURL(join(import.meta.dirname, path)).href;
  });
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** What is read of a value, or each place that is wrong with what was expected there. */
type Result = { text: string } | { wrong: string[] };

function readByRule(given: unknown): Result {
  const issues: Issue[] = [];
  const found = settingsSchema.read(given, { path: [], issues });
  if (found !== null) return { text: JSON.stringify(found.value) };
  return {
    wrong: issues.map(({ path, message, unknownKeys }) => line(path, message ?? expectedAt(path), unknownKeys)),
  };
}

function readByZod(given: unknown): Result {
  const error = (issue: { path?: PropertyKey[] | undefined }): string => expectedAt(issue.path ?? []);
  const found = reference.safeParse(given, { error });
  if (found.success) return { text: JSON.stringify(found.data) };
  const lines = found.error.issues.filter(isNews).map((issue) => {
    const isUnknown = issue.code === "unrecognized_keys";
    return line(issue.path, isUnknown ? expectedAt(issue.path) : issue.message, isUnknown ? issue.keys : []);
  });
  return { wrong: lines };
}

/** Zod checks the length of a list where it wants a text, and the limits of a whole number that is not safe. */
function isNews({ path, code }: zod.core.$ZodIssue, index: number, issues: readonly zod.core.$ZodIssue[]): boolean {
  if (code !== "too_small" && code !== "too_big") return true;
  return !issues.slice(0, index).some((former) => former.path.join() === path.join());
}

function expectedAt(path: readonly PropertyKey[]): string {
  return `expected ${describeValues(schemaAt(path) ?? {})}`;
}

function line(path: readonly PropertyKey[], message: string, unknownKeys: readonly string[]): string {
  return `${path.map(String).join(".")}: ${message} ${unknownKeys.join()}`;
}

const odd = [undefined, null, true, false, 0, 1, 5, 11, 21, -1, 1.5, 1e20, -1e20, Number.NaN, Infinity, "", " ", " x "];
const words = ["x", "90s", "1h30m", "0", "0s", "250", "soon", "unbounded", "append", " Prepend ", "A_1", "1A"];
const anything = fc.oneof(
  fc.constantFrom<unknown>(...odd, ...words),
  fc.constantFrom<unknown>([], [""], ["x"], [1], ["x", "x"], [[]], {}, { x: 1 }, [{}]),
  fc.anything({ maxDepth: 1 }),
);

/** A value that a schema allows, or nearly. */
function near(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, items } = objectOrList(schema);
  if (properties !== undefined) return mostly(objectNear(properties));
  if (items !== undefined) return mostly(fc.array(near(items), { maxLength: 3 }));
  const known = [schema, ...(schema.anyOf ?? [])].flatMap((each) => each.enum ?? each.const ?? []);
  return fc.oneof(...(known.length > 0 ? [fc.constantFrom(...known)] : []), anything);
}

function mostly(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: anything });
}

function objectNear(properties: Record<string, JsonSchema>): fc.Arbitrary<unknown> {
  const keys = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, near(schema)]));
  const known = fc.record(keys, { requiredKeys: [] });
  const unknown = fc.constantFrom({}, {}, {}, { other: 1 }, { toString: 1, other: null });
  return fc.tuple(known, unknown).map(([one, other]) => ({ ...one, ...other }));
}

describe("the rules of the settings", () => {
  it("read what zod reads and refuse what zod refuses, with the same words", () => {
    const settings = near(settingsJsonSchema());
    fc.assert(
      fc.property(settings, (given) => {
        expect(readByRule(given)).toEqual(readByZod(given));
      }),
      { seed: propertySeed, numRuns: 200 },
    );
  });

  it("read each setting alone as zod does", () => {
    let rightCount = 0;
    for (const [key, schema] of Object.entries(settingsJsonSchema().properties ?? {}))
      fc.assert(
        fc.property(near(schema), (value) => {
          const found = readByRule({ [key]: value });
          if ("text" in found) rightCount += 1;
          expect(found).toEqual(readByZod({ [key]: value }));
        }),
        { seed: propertySeed, numRuns: 100 },
      );
    expect(rightCount).toBeGreaterThan(100);
  });

  it("are described as zod describes them", () => {
    const schema = zod.toJSONSchema(reference, {
      io: "input",
      override({ jsonSchema }) {
        // The largest safe integer is a limit of the language, not of a setting.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    });
    expect(settingsJsonSchema()).toEqual({ title: "Settings of ralph", ...schema });
  });

  it("give every reader lists of its own", () => {
    const [one, other] = [settingsSchema.parse({}), settingsSchema.parse({})];
    one.agent.flags.push("x");
    expect(other.agent.flags).toEqual([]);
  });
});
