import { describe, expect, it } from "vitest";
import { createBacklog } from "./backlog.ts";

const open = (isCuttable = true) =>
  createBacklog({ charsMax: 20, isCuttable, summary: (chars) => `(${chars} left out)` });

describe("what waits for a slow reader", () => {
  it("comes in order and only once (S1-42)", () => {
    const backlog = open();
    backlog.offer("one ");
    backlog.add("two\n");
    expect(backlog.take()).toBe("one two\n");
    expect(backlog.take()).toBe("");
  });

  it("is bounded: what does not fit is counted and named (S1-42)", () => {
    const backlog = open();
    for (let count = 0; count < 1000; count++) backlog.offer("12345678\n");
    expect(backlog.take()).toBe("12345678\n12345678\n(8982 left out)\n");
    backlog.offer("again\n");
    expect(backlog.take()).toBe("again\n");
  });

  it("comes in writes of a bounded size, with the summary where something is missing (S1-42)", () => {
    const line = `${"x".repeat(99_999)}\n`;
    const backlog = createBacklog({ charsMax: 400_000, isCuttable: true, summary: (chars) => `(${chars} left out)` });
    for (let count = 0; count < 6; count++) backlog.offer(line);
    expect(backlog.take()).toBe(line + line);
    backlog.offer("too early\n");
    expect(backlog.take()).toBe(`${line}${line}(200010 left out)\n`);
    backlog.offer("again\n");
    expect(backlog.take()).toBe("again\n");
    for (let count = 0; count < 5; count++) backlog.offer(line);
    expect(backlog.take()).toBe(line + line);
    backlog.add("said\n");
    expect(backlog.take()).toBe(`${line}${line}said\n(100000 left out)\n`);
  });

  it("never loses what must be said, however full it is (CB-18)", () => {
    const backlog = open();
    backlog.offer("x".repeat(19));
    backlog.offer("lost\n");
    backlog.add("\nthe outcome\n");
    expect(backlog.take()).toBe(`${"x".repeat(19)}\nthe outcome\n(5 left out)\n`);
  });

  it("cuts a piece that is too large between two lines (S1-42)", () => {
    const backlog = open();
    backlog.offer("a\nb\n" + "c".repeat(100) + "\n");
    expect(backlog.take()).toBe("a\nb\n(101 left out)\n");
  });

  it("takes a large piece whole where cutting would break it (CB-18)", () => {
    const backlog = open(false);
    const line = `{"x":"${"y".repeat(50)}"}\n`;
    backlog.offer(line);
    backlog.offer(line);
    expect(backlog.take()).toBe(`${line}(${line.length} left out)\n`);
  });

  it("begins the summary on a line of its own (S1-42)", () => {
    const backlog = open(false);
    backlog.offer("x".repeat(30));
    backlog.offer("y");
    expect(backlog.take()).toBe(`${"x".repeat(30)}\n(1 left out)\n`);
  });

  it("cannot act on the terminal it comes out on (S1-74)", () => {
    const backlog = open();
    backlog.offer("a\u001B[2J\u202E");
    backlog.add("\u001B[31mred\u001B[39m\n");
    expect(backlog.take()).toBe("a\u001B[31mred\u001B[39m\n");
  });
});
