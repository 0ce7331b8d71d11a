import { cleanOutput } from "../../../core/text/clean-text.ts";

type Write = NodeJS.WriteStream["write"];

const exactWrites = new Map<NodeJS.WritableStream, Write>();

/**
 * From now on nothing that is written to standard output or error can act on a terminal, whichever command writes it and
 * wherever its words come from. What must go out as it is goes through `writeExact`.
 */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    exactWrites.set(stream, write);
    const guarded = (chunk: string | Uint8Array, ...rest: []): boolean => write(cleanChunk(chunk), ...rest);
    Object.defineProperty(stream, "write", { value: guarded, configurable: true, writable: true });
  }
}

/** Gives the streams back to a program of its own that runs in this process. */
export function releaseOutput(): void {
  for (const [stream, write] of exactWrites)
    Object.defineProperty(stream, "write", { value: write, configurable: true, writable: true });
  exactWrites.clear();
}

/** Writes codes of our own, or content that a program reads. */
export function writeExact(stream: NodeJS.WriteStream, content: string | Uint8Array): void {
  exactStream(stream).write(content);
}

/** The same stream for what moves the cursor itself, such as the editing of a line; it must clean foreign words first. */
export function exactStream<Stream extends NodeJS.WritableStream>(stream: Stream): Stream {
  const write = exactWrites.get(stream);
  if (write === undefined) return stream;
  return new Proxy(stream, {
    get: (target, name): unknown => (name === "write" ? write : Reflect.get(target, name)),
  });
}

function cleanChunk(chunk: string | Uint8Array): string {
  return cleanOutput(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
}
