import { changed, type Fields, type UpgradeStep, without } from "./upgrade-step.ts";

/**
 * Since version 5 a setting that is null switches the breaker of runs without progress off; before, it stood for the default
 * of the kind of run. The journals of both fold alike.
 */
export const fromVersion4: UpgradeStep = {
  run: ({ state, frozen }) => ({
    state: liftState(state),
    frozen: frozen === null ? null : { ...frozen, settings: changed(frozen["settings"], liftSettings) },
  }),
  entry(body) {
    const { observation, upgraded } = body;
    return {
      ...body,
      ...(observation === undefined ? {} : { observation: changed(observation, liftTakenOver) }),
      ...(upgraded === undefined ? {} : { upgraded: changed(upgraded, liftUpgraded) }),
    };
  },
};

function liftState(state: Fields): Fields {
  return { ...state, version: 5 };
}

function liftUpgraded(upgraded: Fields): Fields {
  return { ...upgraded, state: changed(upgraded["state"], liftState) };
}

function liftTakenOver(observation: Fields): Fields {
  const { takenOver } = observation;
  return takenOver === undefined ? observation : { ...observation, takenOver: changed(takenOver, liftState) };
}

function liftSettings(settings: Fields): Fields {
  return {
    ...settings,
    breaker: changed(settings["breaker"], (breaker) =>
      breaker["noProgress"] === null ? without(breaker, ["noProgress"]) : breaker,
    ),
  };
}
