import type { Spend } from "../../core/agents/spend.ts";
import type { RunContext } from "../run-context.ts";
import type { DeliveryGit } from "../git/delivery-git.ts";
import type { Tool } from "../git/run-tool.ts";
import type { DeliveryRecord } from "./delivery-record.ts";

/** What every task of a delivery gets. */
export type Delivery = Pick<DeliveryGit, "git" | "gitWithHooks" | "run"> & {
  context: RunContext;
  /** Programs beside git. */
  tool: Tool;
  turnMarker: string;
  signal: AbortSignal;
  scm: { command: string; stage: "run" | "tracked" | "all" };
  record: DeliveryRecord;
  /** Durable when it resolves. */
  save: (change: Partial<DeliveryRecord>) => Promise<void>;
};

/** What one task did. */
export type TaskDone = { commit: string | null; problem: string | null; spend: Spend };
