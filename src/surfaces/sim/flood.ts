import type { Outlet } from "./outlet.ts";

// As much as a pipe holds on Linux: each piece fills it once.
const pieceBytes = 64 * 1024;
const line = `${"flood ".repeat(16)}\n`;
const piece = line.repeat(Math.ceil(pieceBytes / line.length)).slice(0, pieceBytes);

/** The text of a flood, piece by piece; all pieces but the last are the same string, so memory stays flat. */
export function* floodPieces(bytes: number): Generator<string> {
  for (let left = bytes; left > 0; left -= pieceBytes) {
    yield left >= pieceBytes ? piece : piece.slice(0, left);
  }
}

/** Raw bytes without an end of line before the last one. */
export async function floodOutlet(bytes: number, outlet: Outlet): Promise<void> {
  for (const part of floodPieces(bytes)) {
    await outlet.write(part.replaceAll("\n", " "));
  }
  await outlet.write("\n");
}
