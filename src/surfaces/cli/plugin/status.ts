import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { type PluginState, readPluginState } from "../../../shell/plugins/plugin-state.ts";
import type { PluginScope } from "../../../shell/plugins/plugin-host.ts";
import { pluginHosts } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";
import { hostNamed, scopeOption, targetOf } from "./plugin-target.ts";

/** `ralph plugin status`: what is installed where. */
export default async function status({ arguments: [name], options }: Input): Promise<number> {
  const hosts = name === undefined ? pluginHosts : [hostNamed(name)];
  const asked = scopeOption(options);
  const scopes: readonly PluginScope[] = asked === null ? ["user", "project"] : [asked];
  const plugins = hosts.flatMap((host) =>
    scopes.map((scope) => {
      const { plan, record } = targetOf(host, { scope, options, isGuardAlways: false });
      const planFor = (isGuardAlways: boolean) => targetOf(host, { scope, options, isGuardAlways }).plan;
      return { host: host.name, scope, place: plan.place, ...readPluginState(record, planFor) };
    }),
  );
  const lines = plugins.flatMap((plugin) => [
    `${plugin.host.padEnd(12)} ${plugin.scope.padEnd(8)} ${wordsOf(plugin)}  ${plugin.place}`,
    ...plugin.problems.map((problem) => `  ${problem}`),
  ]);
  process.stdout.write(isOn(options, "json") ? jsonLine({ plugins }) : cleanLines(lines));
  const isWorn = plugins.some(({ state }) => state === "damaged" || state === "outdated");
  if (isWorn && !isOn(options, "json")) process.stderr.write("`ralph plugin install` again puts it right.\n");
  return 0;
}

function wordsOf({ state, guard }: PluginState): string {
  return state === "absent" ? "not installed" : `${state}, guard ${guard === "always" ? "always" : "in loops"}`;
}
