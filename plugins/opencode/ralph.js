// Made by `ralph plugin install opencode`; `ralph plugin uninstall opencode` removes it.
import { RalphPlugin as openPlugin } from "../ralph/plugin.js";

/** The host calls every export of this file. */
export const RalphPlugin = (input) => openPlugin(input, { guard: "in-loops" });
