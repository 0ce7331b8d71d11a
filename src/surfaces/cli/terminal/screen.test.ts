import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createScreen, type ScreenParts } from "./screen.ts";

const codeOrLetter = new RegExp(String.raw`\u001B\[(\?)?(\d*)([A-Za-z])|[^]`, "gu");

/** A terminal as far as a screen uses one: rows, a cursor, and what erases. */
function openTerminal(columns: number) {
  let rows = [""];
  let row = 0;
  let column = 0;
  let wraps = 0;
  const put = (letter: string): void => {
    if (column === columns) wraps += 1;
    const line = (rows[row] ?? "").padEnd(column);
    rows[row] = line.slice(0, column) + letter + line.slice(column + 1);
    column += 1;
  };
  const obey = (code: string, count: string): void => {
    if (code === "J") rows = [...rows.slice(0, row), (rows[row] ?? "").slice(0, column)];
    if (code === "K") rows[row] = (rows[row] ?? "").slice(0, column);
    if (code === "A") row = Math.max(0, row - Number(count || "1"));
  };
  return {
    write(text: string) {
      for (const [part, , count = "", code] of text.matchAll(codeOrLetter)) {
        if (code !== undefined) obey(code, count);
        else if (part === "\r") column = 0;
        else if (part === "\n") {
          row += 1;
          column = 0;
          rows[row] ??= "";
        } else put(part);
      }
    },
    rows: () => rows.map((line) => line.trimEnd()),
    cursor: () => [row, column],
    wraps: () => wraps,
  };
}

/** A screen on a terminal whose clock the test moves. */
function openScreen(change: Partial<ScreenParts> = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const terminal = openTerminal(40);
  const writes: string[] = [];
  const world = { status: "status", columns: 40 };
  const screen = createScreen({
    writeOut: () => Promise.reject(new Error("shared")),
    writeErr: (text) => {
      writes.push(text);
      terminal.write(text);
      return Promise.resolve(true);
    },
    isShared: true,
    limits: { charsMax: 1000, isCuttable: true, summary: (chars) => `(${chars} left out)` },
    columns: () => world.columns,
    status: (width) => world.status.split("\n").map((line) => line.slice(0, width)),
    now: () => Date.now(),
    ...change,
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { screen, terminal, writes, world, pass };
}

describe("the status line", () => {
  it("may be several, one below the other", async () => {
    const { screen, terminal, pass, world } = openScreen();
    world.status = "one\ntwo";
    screen.say("Iteration 1");
    await pass(100);
    screen.say("Iteration 2");
    await pass(100);
    expect(terminal.rows()).toEqual(["Iteration 1", "Iteration 2", "one", "two"]);
    world.status = "two";
    screen.refresh();
    await pass(100);
    expect(terminal.rows()).toEqual(["Iteration 1", "Iteration 2", "two"]);
  });

  it("stays below everything that is printed, and the cursor rests at its beginning (S1-77)", async () => {
    const { screen, terminal, pass } = openScreen();
    screen.say("Iteration 1");
    await pass(1);
    screen.out("words\nmore\n");
    await pass(100);
    expect(terminal.rows()).toEqual(["Iteration 1", "words", "more", "status"]);
    expect(terminal.cursor()).toEqual([3, 0]);
  });

  it("stays below a line the agent has not finished, of which the newest words show (S1-42)", async () => {
    const { screen, terminal, pass } = openScreen();
    screen.out(`done\n${"x".repeat(50)} and`);
    await pass(1);
    expect(terminal.rows()).toEqual(["done", `${"x".repeat(35)} and`, "status"]);
    screen.out(" so on\n");
    await pass(100);
    expect(terminal.rows()).toEqual(["done", `${"x".repeat(50)} and so on`, "status"]);
  });

  it("is written only when it changed, in place, and at most ten times a second (S1-77)", async () => {
    const { screen, writes, world, terminal, pass } = openScreen();
    screen.refresh();
    await pass(1000);
    screen.refresh();
    await pass(1000);
    expect(writes).toHaveLength(1);
    for (let count = 0; count < 1000; count++) {
      world.status = `status ${count}`;
      screen.refresh();
      await pass(1);
    }
    expect(writes.length).toBeLessThanOrEqual(12);
    expect(writes.at(-1)).not.toContain("\u001B[J");
    await pass(100);
    expect(terminal.rows()).toEqual(["status 999"]);
  });

  it("never reaches the last column, so no terminal wraps it (S1-77)", async () => {
    const { screen, world, terminal, pass } = openScreen();
    world.status = "y".repeat(200);
    screen.say("line");
    await pass(1);
    expect(terminal.wraps()).toBe(0);
    expect(terminal.rows()[1]).toHaveLength(39);
  });

  it("is drawn anew for another width, although its words are the same (S1-77)", async () => {
    const { screen, writes, world, pass } = openScreen();
    screen.say("line");
    await pass(100);
    world.columns = 20;
    screen.resized();
    await pass(100);
    expect(writes).toHaveLength(2);
    expect(writes[1]).toContain("\r\u001B[J");
  });

  it("is gone at the end, with every line kept and the last one ended (S1-77)", async () => {
    const { screen, terminal, pass } = openScreen();
    screen.say("one");
    await pass(1);
    screen.out("unfinished");
    await screen.close();
    expect(terminal.rows()).toEqual(["one", "unfinished", ""]);
  });

  it("is not there before it has something to say", async () => {
    const { screen, terminal, world, pass } = openScreen();
    world.status = "";
    screen.say("one");
    await pass(1);
    expect(terminal.rows()).toEqual(["one", ""]);
  });
});

describe("a reader that cannot keep up", () => {
  it("holds up nothing, fills no memory, and is told what it missed (S1-42)", async () => {
    let release: (isRead: boolean) => void = () => {};
    const writes: string[] = [];
    const stuck = (text: string): Promise<boolean> => {
      writes.push(text);
      return new Promise((resolve) => (release = resolve));
    };
    const { screen, pass } = openScreen({ writeErr: stuck, status: null });
    screen.say("first");
    await pass(1);
    for (let count = 0; count < 100_000; count++) screen.out(`line ${count}\n`);
    screen.say("the outcome");
    await pass(1000);
    expect(writes).toEqual(["first\n"]);
    release(true);
    await pass(1);
    expect(writes[1]?.length).toBeLessThan(2000);
    expect(writes[1]).toMatch(/^line 0\n[^]*the outcome\n\(\d+ left out\)\n$/);
    release(true);
    await screen.close();
  });

  it("of one output does not keep the other one waiting (CB-18)", async () => {
    const { screen, terminal, pass } = openScreen({
      isShared: false,
      status: null,
      writeOut: () => new Promise(() => {}),
    });
    screen.out("stuck\n");
    screen.say("said");
    await pass(1);
    expect(terminal.rows()).toEqual(["said", ""]);
  });
});

describe("a screen without a terminal", () => {
  it("prints text as it comes and nothing else, each to its own output (CB-18, S1-77)", async () => {
    let out = "";
    const { screen, writes } = openScreen({
      isShared: false,
      status: null,
      writeOut: (text) => {
        out += text;
        return Promise.resolve(true);
      },
    });
    screen.out("Hel");
    screen.print("lo\n");
    screen.say("said");
    screen.refresh();
    await screen.close();
    expect({ out, said: writes.join("") }).toEqual({ out: "Hello\n", said: "said\n" });
  });
});
