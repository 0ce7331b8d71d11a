import type { AgentAdapter, InvocationRequest } from "../adapter.ts";
import { deliverPrompt, unlessGiven } from "../command-line.ts";
import { createMessageStreamReader } from "../../streams/message-stream-reader.ts";

/** Amp. It has modes instead of models, so the model setting names a mode; the stream tells no price. */
export const ampAdapter: AgentAdapter = {
  name: "amp",
  commands: ["amp"],
  reportsCost: false,
  spendCovers: "process",
  readUsage: null,
  keyVariables: ["AMP_API_KEY"],
  hostMarkers: ["AMP_CURRENT_THREAD_ID"],
  signIn: { variable: "AMP_API_KEY", file: ".local/share/amp/secrets.json" },
  editFlags: "--dangerously-allow-all",
  permissionModes: [
    {
      name: "all",
      flags: [],
      meaning: "may do all that you may: ralph always gives it the flag for that",
    },
  ],
  env: {},
  invocation(order) {
    const argv = [order.command, ...threadArguments(order), ...ownFlags(order), ...order.flags, "-x"];
    return {
      ...deliverPrompt(order, { forStdin: argv, forArgument: argv }),
      usesAnswerFile: false,
      isReadOnly: false,
    };
  },
  createReader: () => createMessageStreamReader(changingTools, { isLineWhole: true }),
};

const changingTools = new Set(["Bash", "apply_patch", "create_file", "edit_file", "undo_edit"]);

function threadArguments({ sessionId }: InvocationRequest): string[] {
  return sessionId === null ? [] : ["threads", "continue", sessionId];
}

function ownFlags({ flags, mode, model }: InvocationRequest): string[] {
  return [
    ...(mode === "stream" ? unlessGiven(flags, ["--stream-json"], ["--stream-json"]) : []),
    ...unlessGiven(flags, ["--dangerously-allow-all"], ["--dangerously-allow-all"]),
    ...(model === null ? [] : unlessGiven(flags, ["--mode", "-m"], ["--mode", model])),
  ];
}
