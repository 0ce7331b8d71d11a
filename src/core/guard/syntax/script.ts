/** A command line as bash reads it. Lists are flat: what joins two pipelines does not change whether one may run. */
export type Script = readonly Pipeline[];

/** Commands joined by pipes. */
export type Pipeline = { commands: readonly Command[]; isBackground: boolean };

/** One command, simple or compound, with its redirects. */
export type Command =
  | { type: "simple"; assignments: readonly Assignment[]; words: readonly Word[]; redirects: readonly Redirect[] }
  | { type: "group"; isSubshell: boolean; body: Script; redirects: readonly Redirect[] }
  | { type: "branch"; words: readonly Word[]; parts: readonly Script[]; redirects: readonly Redirect[] }
  | {
      type: "loop";
      /** The variable and the words of a `for`; null for `while` and `until`. */
      each: { variable: string; items: readonly Word[] } | null;
      condition: Script;
      body: Script;
      redirects: readonly Redirect[];
    }
  | { type: "function"; name: string; body: Command };

/** `name=value`, `name+=value`, `name=(a b)` or `name[index]=value`; without an index it is empty. */
export type Assignment = {
  name: string;
  index: string;
  isAppended: boolean;
  values: readonly Word[];
  isArray: boolean;
};

/** A redirect to a word, or the text of a heredoc or here-string. */
export type Redirect = { operator: string; descriptor: string; target: Word; body: Word | null };

/** A word is its parts, one after the other. */
export type Word = readonly Part[];

/** A part of a word; `isQuoted` parts are neither split nor matched against file names. */
export type Part =
  | { type: "text"; text: string; isQuoted: boolean }
  | { type: "parameter"; name: string; index: string; operator: string; argument: Word; isQuoted: boolean }
  | { type: "command"; script: Script; isQuoted: boolean }
  | { type: "process"; script: Script }
  | { type: "arithmetic"; inner: Word };
