/** The events that need the engine, in one file: tools are used far more often than sessions begin and stop. */
export { endGitInHook } from "../../shell/git/git-in-hook.ts";
export { inOwnProject } from "./checks/frozen-criteria.ts";
export { sessionEnd } from "./session-end.ts";
export { openStore } from "./session-loop.ts";
export { sessionStart } from "./session-start.ts";
export { stop } from "./stop.ts";
export { userPromptSubmit } from "./user-prompt-submit.ts";
