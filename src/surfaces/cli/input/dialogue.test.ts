import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { DialogueEnded, openDialogue } from "./dialogue.ts";

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const dialogue = openDialogue(input, output);
  onTestFinished(() => dialogue.close());
  return { input, dialogue, printed: () => String(output.read() ?? "") };
}

describe("a dialogue", () => {
  it("prints the question as it is and gives the answer without white space around it", async () => {
    const { input, dialogue, printed } = open();
    const answer = dialogue.ask("Question:");
    input.write("  an answer \n");
    expect(await answer).toBe("an answer");
    expect(printed()).toBe("Question:");
  });

  it("keeps lines that come before their question", async () => {
    const { input, dialogue } = open();
    const first = dialogue.ask("1:");
    input.write("a\nb\nc\n");
    expect([await first, await dialogue.ask("2:"), await dialogue.ask("3:")]).toEqual(["a", "b", "c"]);
  });

  it("ends at the end of input, for this question and every later one (S1-17)", async () => {
    const { input, dialogue } = open();
    const answer = dialogue.ask("1:");
    input.end();
    await expect(answer).rejects.toBeInstanceOf(DialogueEnded);
    await expect(dialogue.ask("2:")).rejects.toBeInstanceOf(DialogueEnded);
  });

  it("takes answers that came before the end of input, but none from before an abort (S1-17)", async () => {
    const given = open();
    const first = given.dialogue.ask("1:");
    given.input.end("a\nb\n");
    expect([await first, await given.dialogue.ask("2:")]).toEqual(["a", "b"]);
    const aborted = open();
    const answer = aborted.dialogue.ask("1:");
    aborted.input.write("a\nb\n");
    await answer;
    process.emit("SIGINT");
    await expect(aborted.dialogue.ask("2:")).rejects.toBeInstanceOf(DialogueEnded);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends by %s and listens no longer once closed (S1-17)",
    async (signal) => {
      const before = process.listenerCount(signal);
      const { dialogue } = open();
      const answer = dialogue.ask("1:");
      process.emit(signal);
      await expect(answer).rejects.toBeInstanceOf(DialogueEnded);
      dialogue.close();
      expect(process.listenerCount(signal)).toBe(before);
    },
  );
});
