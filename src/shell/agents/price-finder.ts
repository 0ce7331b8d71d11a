import { findPrice, type ModelPrice } from "../../core/agents/model-price.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { AgentAdapter } from "./adapter.ts";
import { flagValue } from "./command-line.ts";

/** What is known of an agent before its turn. */
export type PricedAgent = {
  adapter: AgentAdapter;
  adapters: readonly AgentAdapter[];
  flags: readonly string[];
  settings: Pick<FrozenRun["settings"], "agent" | "prices">;
};

/** Finds the price of the model that an agent tells, or that it was asked for. Only a token price is a price per token. */
export function priceFinder({
  adapter,
  adapters,
  flags,
  settings,
}: PricedAgent): (told: string | null) => ModelPrice | null {
  const asked = flagValue(flags, ["--model", "-m"]) ?? settings.agent.model;
  const tables = adapter.isBilledByToken === true ? adapters.flatMap(({ prices }) => prices ?? []) : [];
  // A run of an older version has none.
  const own = settings.prices ?? [];
  let last: { model: string | null; price: ModelPrice | null } | null = null;
  // Asked with every usage, and a turn has one model nearly always.
  return (told) => {
    const model = told ?? asked;
    if (last === null || last.model !== model) last = { model, price: findPrice(model, { own, tables }) };
    return last.price;
  };
}

/** Whether the output of an agent tells what its turns use. */
export function tellsTokens(adapter: AgentAdapter, flags: readonly string[]): boolean {
  return adapter.readUsage !== null || adapter.createReader(flags) !== null;
}
