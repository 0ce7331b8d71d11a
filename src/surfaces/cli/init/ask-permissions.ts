import { permissionModes } from "../../../app/setup/first-settings.ts";
import type { Dialogue } from "../input/dialogue.ts";

/** Asks what an agent may do while nobody answers its questions; the flags for it. Nothing to choose: nothing is asked. */
export async function askPermissions(dialogue: Dialogue, command: string): Promise<string[]> {
  const modes = permissionModes(command);
  const [first] = modes;
  if (first === undefined || modes.length === 1) return [...(first?.flags ?? [])];
  dialogue.say(`Nobody answers ${command}'s questions during a run. What may it do?`);
  for (const { name, meaning } of modes) dialogue.say(`  ${name.padEnd(8)}${meaning}`);
  const names = modes.map(({ name }) => name);
  for (;;) {
    const answer = (await dialogue.ask(`Permissions (${names.join("|")}) [${first.name}]: `, names)) || first.name;
    const mode = modes.find(({ name }) => name === answer.toLowerCase());
    if (mode !== undefined) return [...mode.flags];
    dialogue.say(`"${answer}" is not one of them: ${names.join(", ")}.`);
  }
}
