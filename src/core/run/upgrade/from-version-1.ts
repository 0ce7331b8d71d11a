import { changed, type Fields, type StoredRun, type UpgradeStep } from "./upgrade-step.ts";

/**
 * Version 1 grew while it was in use: its first stores know neither task lists, roles, baselines nor sessions. What is
 * missing gets the value under which such a run behaves as it did. Fields that make gates are never filled in.
 */
export const fromVersion1: UpgradeStep = {
  run({ state, frozen }: StoredRun): StoredRun {
    return {
      state: {
        ...laterState,
        ...state,
        version: 2,
        policy: changed(state["policy"], upgradePolicy),
        pending: changed(state["pending"], upgradeEffect),
        facts: changed(state["facts"], upgradeFacts),
      },
      frozen: frozen === null ? null : upgradeFrozen(frozen),
    };
  },
  entry(body) {
    const { observation, effects } = body;
    if (observation === undefined) return body;
    return {
      ...body,
      observation: changed(observation, upgradeObservation),
      effects: Array.isArray(effects) ? effects.map((effect) => changed(effect, upgradeEffect)) : effects,
    };
  },
};

const laterState = {
  tasks: null,
  isListOpen: false,
  afterRepair: null,
  baseline: null,
  attempts: [],
  emptyInRow: 0,
  unsettled: null,
};

/** An empty turn counted as any other then. */
const laterPolicy = { hasBaseline: false, canReject: false, emptyTurnsMax: null, settling: null };

const ownAgent = { command: null, flags: null, model: null };

/** Settings of commands that the first stores had no runs of; their values at the time they came. */
const laterSettings = {
  verification: {
    timeout: 300_000,
    onJudgeError: "reject",
    judge: { mode: "agent", agent: null, flags: [], model: null },
  },
  review: { cap: 5, atCap: "approve", agent: ownAgent },
  baseline: false,
  work: {
    roles: ["coder", "reviewer", "tester", "qa"],
    rounds: 3,
    maxIterations: { coder: 15, reviewer: 5, tester: 10, qa: 5 },
    agents: { coder: ownAgent, reviewer: ownAgent, tester: ownAgent, qa: ownAgent },
  },
  missingSpec: "defaults",
  verifyCommand: null,
};

function upgradeFrozen(frozen: Fields): Fields {
  return {
    ...frozen,
    policy: changed(frozen["policy"], upgradePolicy),
    settings: changed(frozen["settings"], (settings) => ({ ...laterSettings, ...settings })),
  };
}

function upgradePolicy(policy: Fields): Fields {
  return { ...laterPolicy, ...policy };
}

function upgradeFacts(facts: Fields): Fields {
  return {
    ...facts,
    report: changed(facts["report"], upgradeReport),
    tasks: changed(facts["tasks"], (tasks) => ({ remark: null, ...tasks })),
  };
}

function upgradeReport(report: Fields): Fields {
  return {
    isEmpty: false,
    ...report,
    claims: changed(report["claims"], (claims) => ({ rejected: null, ...claims })),
  };
}

function upgradeObservation(observation: Fields): Fields {
  switch (observation["type"]) {
    case "run-resumed":
      return { tasks: null, ...observation };
    case "turn-ended":
      return { ...observation, report: changed(observation["report"], upgradeReport) };
    default:
      return observation;
  }
}

function upgradeEffect(effect: Fields): Fields {
  return effect["type"] === "begin-turn" ? { attempts: [], assignment: null, ...effect } : effect;
}
