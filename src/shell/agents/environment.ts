import type { AgentAdapter } from "./adapter.ts";

/** What an agent's environment is made of. */
export type EnvironmentOptions = {
  /** Usually this process's own. */
  base: Readonly<Record<string, string | undefined>>;
  adapter: AgentAdapter;
  /** All known adapters: their host markers and keys are what is cleaned away. */
  adapters: readonly AgentAdapter[];
  /** Names from the settings; these keep the value of `base` whatever the rules below say. */
  keepEnv: readonly string[];
  /** `RALPH_RUN_ID`, `RALPH_TURN` and the like; always set. */
  extra: Readonly<Record<string, string>>;
};

/**
 * The environment an agent starts in: nothing that tells it it runs inside another agent's session, and no key of
 * another provider when several are set, so that a loop bills the account it was meant for.
 */
export function agentEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { base, adapter, extra } = options;
  const kept = new Set(options.keepEnv);
  const foreignKeys = foreignKeysOf(options);
  const cleaned: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    const isRemoved = !kept.has(name) && (isHostMarker(name, options.adapters) || foreignKeys.has(name));
    if (value !== undefined && !isRemoved) cleaned[name] = value;
  }
  for (const [name, value] of Object.entries(adapter.env)) {
    if (!kept.has(name) || cleaned[name] === undefined) cleaned[name] = value;
  }
  return { ...cleaned, ...extra };
}

function isHostMarker(name: string, adapters: readonly AgentAdapter[]): boolean {
  return adapters.some((adapter) =>
    adapter.hostMarkers.some((marker) =>
      marker.endsWith("*") ? name.startsWith(marker.slice(0, -1)) : name === marker,
    ),
  );
}

/** A single foreign key stays: the project's own tests may need it. So do all keys for a program we know nothing of. */
function foreignKeysOf({ base, adapter, adapters }: EnvironmentOptions): Set<string> {
  const own = new Set(adapter.keyVariables);
  if (own.size === 0) return new Set();
  const isSet = (name: string): boolean => (base[name] ?? "") !== "";
  const foreign = new Set(adapters.flatMap((other) => other.keyVariables.filter((name) => !own.has(name))));
  const hasOwn = [...own].some(isSet);
  const foreignCount = [...foreign].filter(isSet).length;
  return hasOwn || foreignCount > 1 ? foreign : new Set();
}
