import { describe, expect, it } from "vitest";
import { acceptedFiles, type Dispute, disputeQuestion, disputeText, judgeDispute, sealSlot } from "./judge-dispute.ts";

const dispute: Dispute = { kind: "tests", files: ["a.test.js"], names: "a.test.js > adds" };
const known = { ...dispute, candidate: "c", times: 1, difference: { text: "" } };

describe("a dispute", () => {
  it("is refused the first time and waits for a person the second time, also in another form", () => {
    expect(judgeDispute(undefined, dispute)).toMatchObject({ times: 1, isForPerson: false });
    expect(judgeDispute(known, dispute)).toMatchObject({ times: 2, isForPerson: true });
    expect(judgeDispute(known, { ...dispute, files: ["b.test.js", "a.test.js"] })).toMatchObject({ isForPerson: true });
    expect(judgeDispute(known, { ...dispute, files: ["b.test.js"] })).toMatchObject({ times: 1, isForPerson: false });
  });

  it("tells the agent what to restore and how to ask", () => {
    expect(disputeText(dispute)).toBe(
      "These protected tests were changed and their old form fails: a.test.js > adds. Restore them, or if the task demands the change, say <promise>DECIDE: why</promise>.",
    );
    const locks: Dispute = { kind: "packages", files: ["package-lock.json"], names: "lodash" };
    expect(disputeText(locks)).toContain("package-lock.json pins other versions of lodash. Restore them,");
  });

  it("tells a person both ways to continue", () => {
    expect(disputeQuestion(dispute, "r1")).toContain("ralph resume r1 --accept-tests all");
    expect(disputeQuestion(dispute, "r1")).toContain("ralph resume r1 --answer TEXT");
  });

  it("is accepted file by file or as a whole", () => {
    const two = { ...dispute, files: ["a", "b"] };
    expect(acceptedFiles(two, ["all"])).toEqual({ files: ["a", "b"], unknown: [] });
    expect(acceptedFiles(two, ["b", "c"])).toEqual({ files: ["b"], unknown: ["c"] });
  });

  it("is read from the memory of the gate, where there is one", () => {
    expect(sealSlot({ hash: "h", dispute: known })?.dispute?.files).toEqual(["a.test.js"]);
    expect(sealSlot(null)).toBeNull();
    expect(sealSlot({ times: 1 })).toBeNull();
  });
});
