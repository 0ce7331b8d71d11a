/** Longest line that is parsed. Agents write whole files into one line, but none comes near this. */
export const lineBytesMax = 16 * 1024 * 1024;

export type LineSplitter = {
  /** Hands on every line completed by `chunk`. The chunk's memory is not kept. */
  push(chunk: Uint8Array): void;
  /** Hands on a last line without a newline. */
  end(): void;
  /** Lines longer than the limit so far; they were dropped. */
  overlongLines(): number;
};

/**
 * Turns bytes into lines without their line ends. Works on bytes, so a character may be cut anywhere; bytes that are
 * no UTF-8 become replacement characters. Only the unfinished line is kept between chunks, in memory that the next one uses
 * again: long lines leave no garbage of bytes.
 */
export function createLineSplitter(options: { onLine: (text: string) => void; lineBytesMax?: number }): LineSplitter {
  const bytesMax = options.lineBytesMax ?? lineBytesMax;
  let tail = Buffer.alloc(0);
  let tailBytes = 0;
  let overlong = 0;
  let isDropping = false;
  let isFirst = true;

  const keep = (piece: Buffer): void => {
    if (isDropping || piece.length === 0) return;
    const from = tailBytes;
    tailBytes += piece.length;
    // Room for a carriage return that does not belong to the line.
    isDropping = tailBytes > bytesMax + 1;
    if (isDropping) return;
    if (tailBytes > tail.length) tail = grown(tail, from, { needed: tailBytes, most: bytesMax + 1 });
    tail.set(piece, from);
  };

  const handOn = (bytes: Buffer, from: number, to: number): void => {
    const start = isFirst && hasByteOrderMark(bytes, from, to) ? from + 3 : from;
    const end = to > start && bytes[to - 1] === carriageReturn ? to - 1 : to;
    isFirst = false;
    if (end - start > bytesMax) overlong += 1;
    // Without a named encoding the bytes are UTF-8, found with less work.
    else options.onLine(bytes.toString(undefined, start, end));
  };

  const finishTail = (): void => {
    if (isDropping) overlong += 1;
    else handOn(tail, 0, tailBytes);
    tailBytes = 0;
    isDropping = false;
    isFirst = false;
  };

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        if (tailBytes === 0) handOn(bytes, start, end);
        else {
          keep(bytes.subarray(start, end));
          finishTail();
        }
        start = end + 1;
      }
      keep(bytes.subarray(start));
    },
    end() {
      if (tailBytes > 0) finishTail();
    },
    overlongLines: () => overlong,
  };
}

/** The first `used` bytes in twice the room, so that a line of any length is copied only a few times. */
function grown(tail: Buffer, used: number, { needed, most }: { needed: number; most: number }): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, tail.length * 2)));
  larger.set(tail.subarray(0, used));
  return larger;
}

const newline = 10;
const carriageReturn = 13;

function hasByteOrderMark(bytes: Buffer, from: number, to: number): boolean {
  return to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf;
}
