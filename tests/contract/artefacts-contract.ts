import { describe, expect, it } from "vitest";
import type { Artefact, ArtefactKind, Artefacts } from "../../src/shell/ports.ts";

/** Opens what another program would open too: artefacts that were kept are there again. */
export type OpenArtefacts = () => Artefacts;

const stream: Artefact = { runId: "a", kind: "stream", name: "7" };
const check: Artefact = { runId: "a", kind: "check", name: "coder/001_make" };

/** An artefact of each kind. */
const kinds: Record<ArtefactKind, string> = {
  stream: "7",
  usage: "7",
  "turn-text": "3",
  answer: "a.7-1",
  delivery: "3",
  check: "coder/001_make",
  receipt: "1",
};
const everyKind = Object.entries(kinds).map(([kind, name]) => ({ runId: "a", kind: kind as ArtefactKind, name }));

/** Every promise of the `Artefacts` port; each implementation passes it unchanged. `fresh` gives an empty place. */
export function describeArtefactsContract(name: string, fresh: () => OpenArtefacts): void {
  describe(`${name} artefacts`, () => {
    it("gives back what was put, by run, kind and name, also to another program (R-44)", async () => {
      const open = fresh();
      const artefacts = open();
      const others = { ...stream, runId: "b" };
      for (const artefact of [...everyKind, others])
        await artefacts.put(artefact, `${artefact.kind} ${artefact.runId} ✔`);
      const again = open();
      for (const artefact of [...everyKind, others])
        expect(await again.read(artefact)).toBe(`${artefact.kind} ${artefact.runId} ✔`);
      await again.put(stream, new Uint8Array([120]));
      expect(await artefacts.read(stream)).toBe("x");
    });

    it("gives nothing where nothing was kept", async () => {
      const artefacts = fresh()();
      for (const artefact of everyKind) {
        expect(await artefacts.read(artefact)).toBeNull();
        expect(await logOf(artefacts, artefact)).toBe("");
        expect(await artefacts.list("a", artefact.kind)).toEqual([]);
      }
      expect(await artefacts.sizes()).toEqual([]);
    });

    it("refuses to read a text above the limit", async () => {
      const artefacts = fresh()();
      await artefacts.put(stream, "x".repeat(100));
      expect(await artefacts.read(stream, 100)).toHaveLength(100);
      await expect(artefacts.read(stream, 99)).rejects.toThrow(/bytes|larger|KiB|MiB/);
    });

    it("keeps a log as it comes, visible before it is closed", async () => {
      const artefacts = fresh()();
      const log = artefacts.append(stream, 1024, "replace");
      await log.write(Buffer.from("one "));
      await log.write(Buffer.from("two"));
      expect(await logOf(artefacts, stream)).toBe("one two");
      expect(await log.close()).toEqual({ bytes: 7, droppedBytes: 0, problem: null });
      expect(await logOf(artefacts, stream)).toBe("one two");
    });

    it("keeps head and tail of a log that is too long", async () => {
      const artefacts = fresh()();
      const log = artefacts.append(stream, 400, "replace");
      for (let line = 0; line < 200; line += 1) await log.write(Buffer.from(`${String(line).padStart(9, "0")}\n`));
      const { bytes, droppedBytes } = await log.close();
      const kept = await logOf(artefacts, stream);
      expect([bytes, droppedBytes > 0, kept.length]).toEqual([2000, true, 2000 - droppedBytes]);
      expect(kept.length).toBeLessThanOrEqual(400);
      expect([kept.startsWith("000000000\n000000001\n"), kept.endsWith("000000199\n")]).toEqual([true, true]);
    });

    it("begins a log anew where it may be replaced, and adds a number where it must not be (R-62)", async () => {
      const open = fresh();
      const artefacts = open();
      await writeLog(artefacts, stream, "a long first text", "replace");
      expect(await writeLog(artefacts, stream, "second", "replace")).toEqual(stream);
      expect(await logOf(artefacts, stream)).toBe("second");
      const names = [];
      for (const text of ["one", "two", "three"]) names.push((await writeLog(open(), check, text, "number")).name);
      expect(names).toEqual(["coder/001_make", "coder/001_make_1", "coder/001_make_2"]);
      expect(await logOf(artefacts, check)).toBe("one");
      expect(await logOf(artefacts, { ...check, name: "coder/001_make_2" })).toBe("three");
    });

    it("lists the names of one kind and one run, sorted", async () => {
      const artefacts = fresh()();
      for (const artefact of everyKind) await artefacts.put(artefact, "");
      await artefacts.put({ ...stream, name: "12" }, "");
      await artefacts.put({ ...check, name: "reviewer/002_make" }, "");
      await artefacts.put({ ...stream, runId: "b", name: "1" }, "");
      expect(await artefacts.list("a", "stream")).toEqual(["12", "7"]);
      expect(await artefacts.list("a", "usage")).toEqual(["7"]);
      expect(await artefacts.list("a", "check")).toEqual(["coder/001_make", "reviewer/002_make"]);
      expect(await artefacts.list("b", "stream")).toEqual(["1"]);
    });

    it("says how much each run keeps, and removes all of one run and nothing of another", async () => {
      const artefacts = fresh()();
      for (const artefact of everyKind) await artefacts.put(artefact, "x".repeat(100));
      await artefacts.put({ ...stream, runId: "b" }, "y");
      const sizes = (await artefacts.sizes()).toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
      expect(sizes).toMatchObject([
        { runId: "a", bytes: 100 * everyKind.length },
        { runId: "b", bytes: 1 },
      ]);
      await artefacts.remove("a");
      await artefacts.remove("a");
      for (const artefact of everyKind) expect(await artefacts.read(artefact)).toBeNull();
      expect(await artefacts.read({ ...stream, runId: "b" })).toBe("y");
      expect((await artefacts.sizes()).map(({ runId }) => runId)).toEqual(["b"]);
    });

    it.each(["../a", "", ".", "a/b"])('refuses to remove "%s", which is no run (R-62)', async (runId) => {
      await expect(fresh()().remove(runId)).rejects.toThrow(/can be the name of/);
    });

    it.each<Artefact>([
      { ...stream, name: "../../ralph.db" },
      { ...stream, name: "a/b" },
      { ...stream, name: ".." },
      { ...stream, name: "" },
      { ...stream, name: "a\0b" },
      { ...stream, name: "x".repeat(300) },
      { ...stream, runId: "../a" },
      { ...stream, runId: "" },
      { ...stream, runId: "." },
      { ...check, name: "../001_make" },
      { ...check, name: "coder/.." },
      { ...check, name: "001_make" },
      { ...check, name: "coder/deep/001_make" },
      { ...check, name: "/etc/passwd" },
    ])("refuses a name that could lead out of its run: $runId $kind $name (R-62)", async (artefact) => {
      const artefacts = fresh()();
      const refusal = /can be the name of/;
      await expect(artefacts.put(artefact, "x")).rejects.toThrow(refusal);
      await expect(artefacts.read(artefact)).rejects.toThrow(refusal);
      expect(() => artefacts.append(artefact, 10, "replace")).toThrow(refusal);
      expect(() => artefacts.append(artefact, 10, "number")).toThrow(refusal);
      expect(() => artefacts.readLog(artefact)).toThrow(refusal);
      expect(() => artefacts.localPath(artefact)).toThrow(refusal);
      expect(await artefacts.sizes()).toEqual([]);
    });
  });
}

async function writeLog(
  artefacts: Artefacts,
  artefact: Artefact,
  text: string,
  taken: "replace" | "number",
): Promise<Artefact> {
  const log = artefacts.append(artefact, 1024, taken);
  await log.write(Buffer.from(text));
  await log.close();
  return log.artefact;
}

async function logOf(artefacts: Artefacts, artefact: Artefact): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of artefacts.readLog(artefact)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
