import { roleDefaults } from "../tasks/criteria/default-criteria.ts";
import { type Role, roles } from "../tasks/criteria/role.ts";
import { count } from "./duration-setting.ts";
import * as z from "./rule.ts";

/** The methods that a default can name; `custom` needs a module of the project. */
export const defaultMethods = ["string_match", "semantic", "external", "multi_stage"] as const;

/** One setting for each role. */
const perRole = <Type extends z.Rule<unknown>>(make: (role: Role) => Type) =>
  z.strictObject({ coder: make("coder"), reviewer: make("reviewer"), tester: make("tester"), qa: make("qa") });

/** Overrides for a role's agent; null: as in `agent`. */
const roleAgent = (role: Role) =>
  z
    .strictObject({
      command: z.string().trim().min(1).nullable().default(null).describe(`The program of the ${role}.`),
      flags: z.array(z.string()).nullable().default(null).describe(`The flags of the ${role}'s program.`),
      model: z.string().min(1).nullable().default(null).describe(`The model of the ${role}.`),
    })
    .prefault({})
    .describe(`The agent of the ${role}, where it is not that of \`agent\`.`);

const roleIterations = (role: Role) =>
  count
    .nullable()
    .default(roleDefaults[role].maxIterations)
    .describe(`Iterations of the ${role}, where its criterion names none; null: maximumIterations.`);

const roleLoop = (role: Role) =>
  z
    .boolean()
    .default(true)
    .describe(`Let the ${role} repeat its turn until it is done; false: one iteration, and every check applies.`);

const rolePromise = (role: Role) =>
  z
    .string()
    .trim()
    .min(1)
    .regex(/^[^<>]*$/, "expected a text without < and >: it stands inside a tag")
    .default(roleDefaults[role].promise)
    .describe(`What the ${role} claims where the task names no promise.`);

const roleMethod = (role: Role) =>
  z
    .enum(defaultMethods)
    .nullable()
    .default(null)
    .describe(`How the claim of the ${role} is verified where the task does not say it; null: verification.default.`);

/** Each round runs all roles again; more than this is a mistake. */
const roundsMax = 20;

/** What the roles of `ralph work` are held to. */
export const work = z.strictObject({
  roles: z
    .array(z.enum(roles))
    .min(1)
    .default([...roles])
    .describe("The roles a task goes through, always in the order coder, reviewer, tester, qa."),
  rounds: count.max(roundsMax).default(3).describe("How often a task may be sent back to the coder."),
  maxIterations: perRole(roleIterations).prefault({}).describe("Maximum number of iterations, per role."),
  loops: perRole(roleLoop).prefault({}).describe("Which roles repeat their turns."),
  promises: perRole(rolePromise).prefault({}).describe("Promises of roles for which a task names none."),
  verification: perRole(roleMethod).prefault({}).describe("Methods of roles for which a task names none."),
  agents: perRole(roleAgent).prefault({}).describe("Agents of single roles."),
});
