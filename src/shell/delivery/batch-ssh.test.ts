import { describe, expect, it } from "vitest";
import { batchSsh } from "./batch-ssh.ts";

function check(env: Record<string, string>, configured: string | null, expected: string | undefined): void {
  expect(batchSsh(env, configured)["GIT_SSH_COMMAND"]).toBe(expected);
}

describe("ssh in batch mode", () => {
  it("is the usual one", () => check({}, null, "ssh -o BatchMode=yes"));

  it("keeps the options of the variable, then those of the configuration", () => {
    check({ GIT_SSH_COMMAND: "/usr/bin/ssh -i a" }, "ssh -i b", "/usr/bin/ssh -i a -o BatchMode=yes");
    check({}, "ssh -i b", "ssh -i b -o BatchMode=yes");
  });

  it("leaves another program as it is", () => {
    check({ GIT_SSH: "plink" }, null, undefined);
    check({ GIT_SSH_COMMAND: "plink -batch" }, null, undefined);
    check({}, "sshpass ssh", undefined);
  });
});
