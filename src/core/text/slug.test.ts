import { describe, expect, it } from "vitest";
import { checkSlug, logName } from "./slug.ts";

describe("checkSlug (S1-55, CW-1E)", () => {
  it.each([
    ["./mvnw clean install -T 2C", "mvnw_clean_install_T_2C"],
    ["make test", "make_test"],
    ["  npm   run  build && echo ok  ", "npm_run_build_echo_ok"],
    ["../../etc/passwd\u0000\n", "etc_passwd"],
    ["!!!", "guardrail"],
    ["", "guardrail"],
    ["日本語", "guardrail"],
    ["prüfe", "pr_fe"],
    ["x".repeat(60), "x".repeat(50)],
    [`${"x".repeat(49)} y`, "x".repeat(49)],
  ])("%j becomes %s", (command, expected) => expect(checkSlug(command)).toBe(expected));
});

describe("logName (S1-54, R-62)", () => {
  it("numbers equal slugs of an iteration, the first stays bare", () => {
    const taken = new Set<string>();
    const commands = ["make test", "make  test", "make test 1", "make test", "Make Test"];
    expect(commands.map((command) => logName(1, command, taken))).toEqual([
      "guardrail_001_make_test.log",
      "guardrail_001_make_test_1.log",
      "guardrail_001_make_test_1_1.log",
      "guardrail_001_make_test_2.log",
      "guardrail_001_Make_Test_3.log",
    ]);
  });

  it("puts the number behind the 50 characters", () => {
    const taken = new Set<string>();
    logName(12, "x".repeat(80), taken);
    expect(logName(12, "x".repeat(70), taken)).toBe(`guardrail_012_${"x".repeat(50)}_1.log`);
  });

  it("starts anew with each iteration, and has room for more than 999", () => {
    const taken = new Set<string>();
    expect(logName(1, "a", taken)).toBe("guardrail_001_a.log");
    expect(logName(2, "a", taken)).toBe("guardrail_002_a.log");
    expect(logName(1000, "a", taken)).toBe("guardrail_1000_a.log");
  });
});
