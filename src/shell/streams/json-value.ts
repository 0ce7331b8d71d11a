import { isObject } from "../../core/text/is-object.ts";
/** A JSON object of unknown content. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object, or an empty one: a stream's fields are never taken for granted. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is text, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value when it is a finite number, else null. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A count of tokens; anything but a positive number counts as 0. Bounded, so that sums stay numbers. */
export function countOf(value: unknown): number {
  return Math.min(Math.max(0, numberOf(value) ?? 0), Number.MAX_SAFE_INTEGER);
}

/** A price in US dollars, or null when nobody can have meant it as one. */
export function priceOf(value: unknown): number | null {
  const price = numberOf(value);
  return price !== null && price >= 0 && price < 1e9 ? price : null;
}
