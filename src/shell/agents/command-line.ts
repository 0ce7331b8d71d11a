import type { Invocation, InvocationRequest } from "./adapter.ts";

/** Whether the flags give one of these names: alone, as `--name=value` or, for a letter, with the value attached. */
export function hasFlag(flags: readonly string[], names: readonly string[]): boolean {
  return flags.some((flag) => names.some((name) => valueWithin(flag, name) !== null));
}

/** The last value given under one of these names, or null. */
export function flagValue(flags: readonly string[], names: readonly string[]): string | null {
  return flags.reduce<string | null>((found, flag, index) => {
    const name = names.find((candidate) => valueWithin(flag, candidate) !== null);
    if (name === undefined) return found;
    return flag === name ? (flags[index + 1] ?? null) : valueWithin(flag, name);
  }, null);
}

/** Our own flags, unless the settings give one of `names` already: some programs refuse a flag that comes twice. */
export function unlessGiven(flags: readonly string[], names: readonly string[], own: readonly string[]): string[] {
  return hasFlag(flags, names) ? [] : [...own];
}

/** Ends the command line as the prompt's way asks. Standard input takes any prompt; one argument holds less than 128 KiB. */
export function deliverPrompt(
  request: InvocationRequest,
  argv: { forStdin: string[]; forArgument: string[] },
): Pick<Invocation, "argv" | "stdin"> {
  if (request.promptVia === "argument") return { argv: [...argv.forArgument, request.prompt], stdin: null };
  return { argv: argv.forStdin, stdin: request.prompt };
}

/** The value a flag carries within itself: empty when it is the bare name, null when it is another flag. */
function valueWithin(flag: string, name: string): string | null {
  if (flag === name) return "";
  if (flag.startsWith(`${name}=`)) return flag.slice(name.length + 1);
  return isLetter(name) && flag.startsWith(name) ? flag.slice(name.length) : null;
}

function isLetter(name: string): boolean {
  return /^-[a-z]$/i.test(name);
}
