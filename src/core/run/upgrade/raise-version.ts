import { changed, type Fields, type UpgradeStep } from "./upgrade-step.ts";

/** A step to a version that stores the same, or more that may be absent: only the number of each state changes. */
export function raiseVersion(version: number): UpgradeStep {
  const lift = (state: Fields): Fields => ({ ...state, version });
  return {
    run: ({ state, frozen }) => ({ state: lift(state), frozen }),
    entry(body) {
      const { observation, upgraded } = body;
      return {
        ...body,
        ...(observation === undefined ? {} : { observation: changed(observation, (each) => liftField(each, lift)) }),
        ...(upgraded === undefined ? {} : { upgraded: changed(upgraded, (each) => liftState(each, lift)) }),
      };
    },
  };
}

function liftState(upgraded: Fields, lift: (state: Fields) => Fields): Fields {
  return { ...upgraded, state: changed(upgraded["state"], lift) };
}

function liftField(observation: Fields, lift: (state: Fields) => Fields): Fields {
  const { takenOver } = observation;
  return takenOver === undefined ? observation : { ...observation, takenOver: changed(takenOver, lift) };
}
