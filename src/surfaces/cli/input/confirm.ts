import { DialogueEnded, openDialogue } from "./dialogue.ts";

/** Asks a person at the terminal. No answer means no consent. */
export async function isConfirmed(question: string): Promise<boolean> {
  const dialogue = openDialogue(process.stdin, process.stderr);
  try {
    return /^y(?:es)?$/i.test(await dialogue.ask(question));
  } catch (error) {
    if (!(error instanceof DialogueEnded)) throw error;
    process.stderr.write("\n");
    return false;
  } finally {
    dialogue.close();
  }
}
