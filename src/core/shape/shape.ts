import { isObject } from "../text/is-object.ts";
/**
 * Describes stored JSON, so that what is read back is checked field by field. It needs no schema library: hooks check
 * their records with it. `problem` names the first field that is missing or of another type; null: all of it is right.
 */
export type Shape<Value> = {
  problem(value: unknown, path: string): string | null;
  /** Never present; it only carries the type. */
  valueType?: () => Value;
};

/** What is wrong with a value, as a sentence's part, or null. */
export function shapeProblem<Value>(shape: Shape<Value>, value: unknown): string | null {
  return shape.problem(value, "");
}

/** Whether a value has the shape. */
export function hasShape<Value>(shape: Shape<Value>, value: unknown): value is Value {
  return shape.problem(value, "") === null;
}

/** Every field of the type, each described; a field may be left out only where its shape is `optional`. */
export function objectOf<Value extends object>(fields: { [Key in keyof Value]-?: Shape<Value[Key]> }): Shape<Value> {
  const entries = Object.entries<Shape<unknown>>(fields);
  return {
    problem(value, path) {
      if (!isObject(value)) return `${nameOf(path)} is not an object`;
      for (const [key, shape] of entries) {
        const found = shape.problem(value[key], path === "" ? key : `${path}.${key}`);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** A closed union: the field `key` says which of the shapes it is. */
export function tagged<Key extends string, Value extends Record<Key, string>>(
  key: Key,
  shapes: { [Tag in Value[Key]]: Shape<Extract<Value, Record<Key, Tag>>> },
): Shape<Value> {
  const byTag = new Map<unknown, Shape<unknown>>(Object.entries<Shape<unknown>>(shapes));
  return {
    problem(value, path) {
      if (!isObject(value)) return `${nameOf(path)} is not an object`;
      const shape = byTag.get(value[key]);
      return shape === undefined ? `${path === "" ? key : `${path}.${key}`} is unknown` : shape.problem(value, path);
    },
  };
}

export function list<Item>(shape: Shape<Item>): Shape<Item[]> {
  return {
    problem(value, path) {
      if (!Array.isArray(value)) return `${nameOf(path)} is not a list`;
      for (const [index, item] of value.entries()) {
        const found = shape.problem(item, `${path}[${index}]`);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** An object used as a map: any keys, every value of one shape. */
export function mapOf<Value>(shape: Shape<Value>): Shape<Record<string, Value>> {
  return {
    problem(value, path) {
      if (!isObject(value)) return `${nameOf(path)} is not an object`;
      for (const [key, item] of Object.entries(value)) {
        const found = shape.problem(item, path === "" ? key : `${path}.${key}`);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return { problem: (value, path) => (value === null ? null : shape.problem(value, path)) };
}

export function optional<Value>(shape: Shape<Value>): Shape<Value | undefined> {
  return { problem: (value, path) => (value === undefined ? null : shape.problem(value, path)) };
}

/** The first of the shapes must fit where the value has `key`, else the second. */
export function either<First, Second>(key: string, first: Shape<First>, second: Shape<Second>): Shape<First | Second> {
  return {
    problem: (value, path) =>
      isObject(value) && key in value ? first.problem(value, path) : second.problem(value, path),
  };
}

export function oneOf<Word extends string | number | boolean>(...words: readonly Word[]): Shape<Word> {
  const known = new Set<unknown>(words);
  return {
    problem: (value, path) => (known.has(value) ? null : `${nameOf(path)} is none of ${words.join(", ")}`),
  };
}

export const text: Shape<string> = {
  problem: (value, path) => (typeof value === "string" ? null : `${nameOf(path)} is not a text`),
};

export const flag: Shape<boolean> = {
  problem: (value, path) => (typeof value === "boolean" ? null : `${nameOf(path)} is not true or false`),
};

export const number: Shape<number> = {
  problem: (value, path) =>
    typeof value === "number" && Number.isFinite(value) ? null : `${nameOf(path)} is not a number`,
};

/** A whole number of at least 0. */
export const count: Shape<number> = {
  problem: (value, path) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0
      ? null
      : `${nameOf(path)} is not a whole number of at least 0`,
};

function nameOf(path: string): string {
  return path === "" ? "it" : path;
}
