import { homedir } from "node:os";
import { RalphError } from "../../core/ralph-error.ts";
import { createDisk } from "../../shell/lib/disk.ts";
import { compileHooks, forgetCompiled } from "../../shell/plugins/compile-hooks.ts";
import { installPlugin, type PluginChange } from "../../shell/plugins/install-plugin.ts";
import { recordPath } from "../../shell/plugins/install-record.ts";
import type { InstallOptions, PluginHost, PluginPlan, PluginScope } from "../../shell/plugins/plugin-host.ts";
import { type PluginState, readPluginState } from "../../shell/plugins/plugin-state.ts";
import { uninstallPlugin } from "../../shell/plugins/uninstall-plugin.ts";
import { stateFolder } from "../../shell/stores/state-folder.ts";
import { pluginHosts, wireProgram } from "../../shell/wire.ts";

/** Which installation is meant. */
export type PluginChoice = { host: PluginHost; scope: PluginScope; projectDir: string };

/** An installation after a change: where it is, what was done there, what a person should know. */
export type ChangedPlugin = {
  host: string;
  scope: PluginScope;
  place: string;
  changes: readonly PluginChange[];
  notes: readonly string[];
};

/** An installation as it was found. */
export type FoundPlugin = { host: string; scope: PluginScope; place: string } & PluginState;

/** The host of that name; any other is a usage error. */
export function hostNamed(name: string | undefined): PluginHost {
  const host = pluginHosts.find((each) => each.name === name);
  if (host !== undefined) return host;
  const known = pluginHosts.map((each) => each.name).join(" or ");
  throw new RalphError("usage", `There is no plugin for "${name ?? ""}".`, `Give ${known}.`);
}

/** Puts a plugin where its host finds it. */
export async function addPlugin(choice: PluginChoice, isGuardAlways: boolean): Promise<ChangedPlugin> {
  const { plan, record } = targetOf(choice, isGuardAlways);
  const guard = isGuardAlways ? "always" : "in-loops";
  const changes = await installPlugin(createDisk(), { plan, record, guard });
  const problem = plan.compiler === null ? null : await compileHooks(plan.compiler, wireProgram());
  const slower = problem === null ? [] : [`The hooks work but start slower, since they were not compiled: ${problem}.`];
  return changed(choice, { ...plan, notes: [...slower, ...plan.notes] }, changes);
}

/** Removes an installation completely, but for what people edited. */
export async function removePlugin(choice: PluginChoice): Promise<ChangedPlugin> {
  const target = targetOf(choice, false);
  const changes = await uninstallPlugin(createDisk(), target);
  // Hooks of another installation start slower without it, until that is installed again.
  if (target.plan.compiler !== null) forgetCompiled(stateFolder(process.env, process.platform, homedir()));
  return changed(choice, target.plan, changes);
}

/** What is installed where: of one host or of all, in one scope or in both. */
export function findPlugins(asked: {
  host: PluginHost | null;
  scope: PluginScope | null;
  projectDir: string;
}): FoundPlugin[] {
  const { projectDir } = asked;
  const hosts = asked.host === null ? pluginHosts : [asked.host];
  const scopes: readonly PluginScope[] = asked.scope === null ? ["user", "project"] : [asked.scope];
  return hosts.flatMap((host) =>
    scopes.map((scope) => {
      const choice = { host, scope, projectDir };
      const { plan, record } = targetOf(choice, false);
      const planFor = (isGuardAlways: boolean): PluginPlan => targetOf(choice, isGuardAlways).plan;
      return { host: host.name, scope, place: plan.place, ...readPluginState(record, planFor) };
    }),
  );
}

/** What an installation consists of, and where it is noted. */
function targetOf({ host, scope, projectDir }: PluginChoice, isGuardAlways: boolean) {
  const { env } = process;
  const home = homedir();
  const options: InstallOptions = { scope, projectDir, home, env, isGuardAlways };
  const record = recordPath(stateFolder(env, process.platform, home), host.name, options);
  return { plan: host.plan(options), record };
}

function changed(
  { host, scope }: PluginChoice,
  { place, notes }: PluginPlan,
  changes: readonly PluginChange[],
): ChangedPlugin {
  return { host: host.name, scope, place, changes, notes };
}
