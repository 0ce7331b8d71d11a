import { expect, it } from "vitest";
import type { Artefact } from "../ports.ts";
import { createMemoryArtefacts } from "../stores/memory/memory-artefacts.ts";
import { alsoStream } from "./also-stream.ts";

it("writes the stream of a turn to another log too, and nothing else, and leaves that log open", async () => {
  const artefacts = createMemoryArtefacts();
  const written: string[] = [];
  const log = {
    write: (chunk: Uint8Array) => void written.push(Buffer.from(chunk).toString()),
    close: () => Promise.reject(new Error("closed by its owner")),
  };
  const both = alsoStream(artefacts, log);
  const stream: Artefact = { runId: "a", kind: "stream", name: "1" };
  const check: Artefact = { runId: "a", kind: "check", name: "run/001_make" };
  for (const [artefact, text] of [
    [stream, "said"],
    [check, "checked"],
  ] as const) {
    const kept = both.append(artefact, 100, "replace");
    await kept.write(Buffer.from(text));
    await kept.close();
    expect(await artefacts.read(kept.artefact)).toBe(text);
  }
  expect(written).toEqual(["said"]);
});
