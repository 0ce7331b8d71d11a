import type { RunContext } from "../run-context.ts";

/**
 * The next turn begins within this time where nothing stands between two turns. Whoever changes a file in it could as well
 * have changed it a moment later, within the turn.
 */
const gapMs = 1000;

/** A look at the end of a turn that may also be the one before the next turn. */
export type LastLook<Look> = {
  keep(look: Look): void;
  /** Something ran, or waited: files may differ by now. */
  forget(): void;
  /** The last look, where nothing came in between; else null. */
  recent(): Look | null;
};

/** Keeps it. Looking at a large work tree is most of what an iteration costs. */
export function createLastLook<Look>({ clock }: Pick<RunContext, "clock">): LastLook<Look> {
  let last: { look: Look; upMs: number } | null = null;
  return {
    keep: (look) => void (last = { look, upMs: clock.upMs() }),
    forget: () => void (last = null),
    recent: () => (last !== null && clock.upMs() - last.upMs < gapMs ? last.look : null),
  };
}

/** The context of one turn: it looks before and after it, and what the turn before it left is what it finds. */
export function withLastLook(context: RunContext, last: LastLook<string>): RunContext {
  let isBegun = false;
  return {
    ...context,
    async fingerprint(effectId) {
      const recent = isBegun ? null : last.recent();
      isBegun = true;
      const look = recent ?? (await context.fingerprint(effectId));
      if (look !== null) last.keep(look);
      return look;
    },
  };
}
