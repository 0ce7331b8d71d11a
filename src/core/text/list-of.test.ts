import { expect, it } from "vitest";
import { listOf } from "./list-of.ts";

it.each([
  ["--model,opus", ["--model", "opus"]],
  [" -a ,, -b c ,", ["-a", "-b c"]],
  [",", []],
])("splits %j at commas (CW-1D)", (text, expected) => expect(listOf(text)).toEqual(expected));
