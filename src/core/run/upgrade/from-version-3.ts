import { changed, type Fields, type UpgradeStep, without } from "./upgrade-step.ts";

/** Version 4 has other names for three things of version 3; nothing else differs, so that its journals still fold. */
export const fromVersion3: UpgradeStep = {
  run: ({ state, frozen }) => ({
    state: liftState(state),
    frozen: frozen === null ? null : { ...frozen, policy: changed(frozen["policy"], liftPolicy) },
  }),
  entry(body) {
    const { observation, effects, upgraded } = body;
    return {
      ...body,
      ...(observation === undefined ? {} : { observation: changed(observation, liftObservation) }),
      ...(Array.isArray(effects) ? { effects: effects.map((effect) => changed(effect, liftEffect)) } : {}),
      ...(upgraded === undefined ? {} : { upgraded: changed(upgraded, liftUpgraded) }),
    };
  },
};

/** The state from which the entries after an upgrade fold on. */
function liftUpgraded(upgraded: Fields): Fields {
  return { ...upgraded, state: changed(upgraded["state"], liftState) };
}

function liftState(state: Fields): Fields {
  return {
    ...state,
    version: 4,
    policy: changed(state["policy"], liftPolicy),
    pending: changed(state["pending"], liftEffect),
    facts: changed(state["facts"], liftReported),
    afterGates: changed(state["afterGates"], (after) => ({
      ...after,
      pending: changed(after["pending"], liftEffect),
    })),
  };
}

function liftPolicy(policy: Fields): Fields {
  return policy["claimBy"] === "marker" ? { ...policy, claimBy: "done-file" } : policy;
}

function liftEffect(effect: Fields): Fields {
  if (effect["type"] !== "begin-turn") return effect;
  return { ...without(effect, ["isLookOnly"]), isRecheck: effect["isLookOnly"] };
}

function liftObservation(observation: Fields): Fields {
  const { type, takenOver } = observation;
  if (type === "turn-ended") return liftReported(observation);
  return takenOver === undefined ? observation : { ...observation, takenOver: changed(takenOver, liftState) };
}

function liftReported(fields: Fields): Fields {
  return { ...fields, report: changed(fields["report"], liftReport) };
}

function liftReport(report: Fields): Fields {
  const { markers, startError } = report;
  return {
    ...without(report, ["markers"]),
    supervised: markers,
    startError: changed(startError, (error) => (error["kind"] === "marker" ? { ...error, kind: "task-file" } : error)),
  };
}
