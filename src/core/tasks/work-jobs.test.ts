import { expect, it } from "vitest";
import { lacksWorktrees } from "./work-jobs.ts";

it.each([
  [1, false, false],
  [1, true, false],
  [2, false, true],
  [2, true, false],
])(
  "gives several tasks at once a work tree each: %i, in work trees: %s, refused: %s",
  (jobs, isInWorktrees, refused) => {
    expect(lacksWorktrees({ jobs, isInWorktrees })).toBe(refused);
  },
);
