import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/core/guard/judge-command.ts";
import { place, readDangerous } from "./corpus.ts";
import { propertySeed } from "../property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

/** Refused lines that stay what they are inside of others: a heredoc or comment needs its own lines. */
const blocked = readDangerous().filter((row) => row.decision === "block");
const oneLine = blocked.filter((row) => !row.command.includes("\n"));
const anyBlocked = fc.constantFrom(...blocked);

/** Texts in which the shell's own characters are frequent. */
const shellText = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."'\"`$(){}[]<>|&;\\\n\t #*?~=!-/".split("")),
      fc.constantFrom(
        "<<EOF",
        "$((",
        "${",
        "$'",
        "rm",
        "-rf",
        "if",
        "then",
        "fi",
        "for",
        "do",
        "done",
        "case",
        "esac",
        "\uE010",
        "\uE000",
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

describe("the guard", () => {
  it("gives an answer with a reason for any text, and never throws (R-124)", () => {
    fc.assert(
      fc.property(fc.oneof(shellText, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        const judgement = judgeCommand(text, place);
        expect(judgement.decision === "allow").toBe(judgement.reason === "");
      }),
      { numRuns: 3000 },
    );
  });

  it("refuses what is too long, too deep or too much to read, with a reason (R-124)", () => {
    const lines = [
      "x".repeat(131_073),
      "$(".repeat(500),
      `${"( ".repeat(200)}ls${" )".repeat(200)}`,
      "ls;".repeat(6000),
      "echo 'a",
      "if true; then ls",
      `echo ${"{a,b}".repeat(20)}`,
    ];
    for (const line of lines) {
      const judgement = judgeCommand(line, place);
      expect(judgement.decision).toBe("block");
      expect(judgement.reason).toContain("cannot be judged");
    }
  });

  it("refuses a refused line inside of whatever runs it (R-121)", () => {
    const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
    const wraps: ((line: string) => string)[] = [
      (line) => `bash -c ${quoted(line)}`,
      (line) => `sh -lc ${quoted(line)}`,
      (line) => `eval ${quoted(line)}`,
      (line) => `( ${line}\n)`,
      (line) => `{ ${line}\n}`,
      (line) => `true && { ${line}\n}`,
      (line) => `false || ( ${line}\n)`,
      (line) => `if true; then ${line}\nfi`,
      (line) => `env A=b bash -c ${quoted(line)}`,
      (line) => `timeout 5 sh -c ${quoted(line)}`,
      (line) => `echo "$( ${line}\n)"`,
      (line) => `ls\n${line}`,
      (line) => `bash <<'WRAPPED'\n${line}\nWRAPPED\n`,
    ];
    fc.assert(
      fc.property(
        anyBlocked,
        fc.array(fc.constantFrom(...wraps), { minLength: 1, maxLength: 3 }),
        ({ command }, chosen) => {
          const wrapped = chosen.reduce((line, wrap) => wrap(line), command);
          expect([wrapped, judgeCommand(wrapped, place).decision]).toEqual([wrapped, "block"]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("refuses a refused line after a prefix that runs it (R-121)", () => {
    const simple = oneLine.filter((row) => /^[a-z]+ [^;&|(){}<>`]*$/.test(row.command) && !reserved.test(row.command));
    const prefixes = ["env A=b", "command", "nohup", "timeout 5", "nice -n 3", "A=b", "time", "xargs -r", "stdbuf -oL"];
    const lines = prefixes.flatMap((prefix) => simple.map(({ command }) => `${prefix} ${command}`));
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => judgeCommand(line, place).decision !== "block")).toEqual([]);
  });

  it("lets a refused line pass as words: echoed, committed, searched for, written down (R-122)", () => {
    const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
    const mentions: ((line: string) => string)[] = [
      (line) => `echo ${quoted(line)}`,
      (line) => `git commit -m ${quoted(line)}`,
      (line) => `grep -rn ${quoted(line)} src`,
      (line) => `gh issue create --title x --body ${quoted(line)}`,
      (line) => `cat > notes.md <<'MENTION'\n${line}\nMENTION\n`,
      (line) => `git commit -F - <<'MENTION'\n${line}\nMENTION\n`,
      (line) => `npm test -- -t ${quoted(line)}`,
    ];
    const lines = oneLine.flatMap(({ command }) => mentions.map((mention) => mention(command)));
    expect(lines.filter((line) => judgeCommand(line, place).findings.length > 0)).toEqual([]);
  });
});

const reserved =
  /^(?:for|while|if|case|function|exec|export|declare|eval|set|trap|alias|unset|read|source|cd|coproc|select|until)\b/;
