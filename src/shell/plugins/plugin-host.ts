import type { KeyPath } from "./edit-json.ts";

/** For all projects of the user, or for one. */
export type PluginScope = "user" | "project";

/** Where and how a plugin is to be installed. */
export type InstallOptions = {
  scope: PluginScope;
  projectDir: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  isGuardAlways: boolean;
};

/** A program our plugin lives in, and what it takes to be there. */
export type PluginHost = {
  name: string;
  /** Reads what is shipped; throws when it is not there. */
  plan(options: InstallOptions): PluginPlan;
};

/** All that an installation writes. Planning changes nothing. */
export type PluginPlan = {
  /** The folder people know it by. */
  place: string;
  /** Files of our own. */
  files: readonly { path: string; content: string }[];
  /** A file of ours that holds this text: then all files of the plan are ours, whoever installed them. */
  mark: { path: string; text: string };
  /** Members in settings that belong to the host. */
  members: readonly PlannedMember[];
  /** Members that the host itself writes once it has met us. */
  traces: readonly { path: string; keys: KeyPath; isOurs: (value: unknown) => boolean }[];
  /** The file of ours that the host's Node runs once, so that hooks start faster; null: the host has no hooks of ours. */
  compiler: string | null;
  /** What a person should know afterwards. */
  notes: readonly string[];
};

/** A member of a JSON file. */
export type PlannedMember = { path: string; keys: KeyPath; value: unknown };
