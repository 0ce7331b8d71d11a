import { sealedGates, sealedKind } from "../../core/contract/sealed.ts";
import type { GateKind } from "./gate-kind.ts";
import { verifySealed } from "./verify-sealed.ts";

/** What one run of the checks in the sealed copy cannot show: see the steps. */
export const sealed: GateKind = {
  name: sealedKind,
  gatesOf: sealedGates,
  open({ context }) {
    const { seal } = context;
    return seal === undefined ? null : (request) => verifySealed({ ...context, seal }, request);
  },
};
