import type { TextRef } from "../../../core/verification/verdict.ts";
import type { Store } from "../../ports.ts";

/** A text as the state names it; empty when the store has lost it. */
export async function keptText({ store }: { store: Pick<Store, "getBlob"> }, ref: TextRef): Promise<string> {
  return "text" in ref ? ref.text : ((await store.getBlob(ref.blob)) ?? "");
}
