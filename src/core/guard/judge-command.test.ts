import { describe, expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";
import type { CallContext } from "./facts/call-context.ts";

const place: CallContext = {
  workTree: "/home/ada/project",
  home: "/home/ada",
  tempFolder: "/var/folders/x/T",
  cwd: "/home/ada/project/packages/a",
  store: "/home/ada/.local/state/ralph",
  allow: [],
};

function check(command: string, expected: "allow" | "warn" | "block", changes: Partial<CallContext> = {}): void {
  expect(judgeCommand(command, { ...place, ...changes }).decision).toBe(expected);
}

describe("a project below a folder of the system, as containers have it", () => {
  const inside = { workTree: "/usr/src/app", cwd: "/usr/src/app" };

  it.each<[string, "allow" | "warn" | "block"]>([
    ['rm -f "$tmp"', "allow"],
    ['rm -rf "$BUILD_DIR"', "warn"],
    ['while read -r f; do rm -f "$f"; done < files.txt', "allow"],
    ['cleanup(){ rm -rf "$WORKDIR"; }; trap cleanup EXIT', "warn"],
    ["rm -rf build", "allow"],
    ["rm -rf /usr/src/app", "block"],
    ["rm -rf /usr/src/other", "block"],
    ["echo x > /usr/src/other/a", "block"],
  ])("%s: %s (R-121)", (command, expected) => {
    check(command, expected, inside);
  });
});

describe("a path means what it means from the current folder (R-121, R-123)", () => {
  it.each<[string, "allow" | "warn" | "block"]>([
    ["rm -rf dist", "allow"],
    ["rm -rf ../b/dist", "allow"],
    ["rm -rf ../..", "block"],
    ["rm -rf *", "allow"],
    ["rm -rf /var/folders/x/T/mine", "allow"],
    ["rm -rf /var/folders/x/T", "block"],
    ["echo x > ../../.ralph-active", "block"],
    ["cd /proc/self/root; echo x > etc/hosts", "block"],
    ["echo x > /private/etc/hosts", "block"],
    ["cat /ETC/shadow", "block"],
    ["cd ../.. && rm -rf *", "block"],
    ["rm -rf ~root", "block"],
  ])("%s: %s", (command, expected) => {
    check(command, expected);
  });
});

describe("a folder that only a variable names (R-121)", () => {
  it.each<[string, "allow" | "warn" | "block"]>([
    ['rm -rf "$BUILD_DIR"', "warn"],
    ['rm -rf "${BUILD_DIR:?}/cache"', "warn"],
    ['rm -rf "$BUILD_DIR"/*', "block"],
    ['rm -rf "$BUILD_DIR/usr"', "block"],
    ['rm -rf "./$NAME"', "allow"],
    ['rm -rf "dist/$NAME"', "allow"],
    ['cd "$DIR" && rm -rf *', "warn"],
    ["BUILD_DIR=/; rm -rf $BUILD_DIR", "block"],
    ["BUILD_DIR=out; rm -rf $BUILD_DIR", "allow"],
    ["rm -rf ${BUILD_DIR:-/}", "block"],
  ])("%s: %s", (command, expected) => {
    check(command, expected);
  });
});

it("takes the project's word on a push with lease, and warns without one (S4-89)", () => {
  const push = "git push --force-with-lease origin topic";
  check(push, "warn");
  check(push, "allow", { forceWithLease: "allow" });
  check(push, "block", { forceWithLease: "block" });
  check("git push --force-with-lease --force", "block", { forceWithLease: "allow" });
});

it("names category, program and reason, the worst first (CW-4B, S4-89)", () => {
  const judgement = judgeCommand("npx x; sudo rm -rf /", place);
  expect(judgement.category).toBe(7);
  expect(judgement.reason).toBe("privilege escalation: runs as another user");
  expect(judgement.findings.map((finding) => finding.tier).at(-1)).toBe("warn");
  expect(judgement.findings[0]?.subject).toEqual(["sudo", "rm", "-rf", "/"]);
});

it("refuses a line above 128 KiB and reads one below (R-124)", () => {
  check(`echo ${"x".repeat(131_072)}`, "block");
  check(`echo ${"x".repeat(131_000)}`, "allow");
});

it("is not misled by characters it uses itself (R-121)", () => {
  check("\uE010rm -rf /", "allow");
  check("rm -rf /\uE014", "block");
  check('bash -c " $X"', "block");
});
