import init from "../commands/init.ts";
import { checkSettings, printSettingsSchema, showSettings } from "../commands/settings.ts";

/** The commands about settings, loaded together because they share the schema library. */
export const settingCommands = { init, checkSettings, printSettingsSchema, showSettings };
