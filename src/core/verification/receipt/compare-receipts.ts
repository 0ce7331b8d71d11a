import type { Receipt } from "./receipt.ts";

/**
 * How a verification that was done again differs from what a receipt says, one sentence each. Contract, trees and results are
 * compared; seal, programs, times and outputs differ from machine to machine.
 */
export function compareReceipts(told: Receipt, found: Receipt): string[] {
  return [
    ...differs("The contract", told.contract.hash, found.contract.hash),
    ...differs("The tree of the base", told.base, found.base),
    ...differs("The candidate", told.candidate, found.candidate),
    ...compareChecks(told, found),
    ...compareCommands(told, found),
  ];
}

function differs(what: string, told: string | null, found: string | null): string[] {
  return told === found ? [] : [`${what} is ${found ?? "unknown"}, the receipt says ${told ?? "none"}.`];
}

function compareChecks(told: Receipt, found: Receipt): string[] {
  const [former, now] = [told, found].map(({ checks }) => new Map(checks.map((check) => [nameOf(check), check])));
  return namesOf(former, now).flatMap((name) => {
    const [one, other] = [former?.get(name), now?.get(name)];
    if (one === undefined) return [`The receipt does not have the check ${name}.`];
    if (other === undefined) return [`The check ${name} of the receipt is not one of the contract.`];
    const what = [one, other].map(({ exitCode, isSealed, tests }) => JSON.stringify([exitCode, isSealed, tests]));
    return what[0] === what[1] ? [] : [`The check ${name} ended differently: ${what[1]}, the receipt says ${what[0]}.`];
  });
}

function compareCommands(told: Receipt, found: Receipt): string[] {
  const [former, now] = [told, found].map(({ commands }) => new Map(commands.map((each) => [each.command, each])));
  return namesOf(former, now).flatMap((command) => {
    const [one, other] = [former?.get(command), now?.get(command)];
    const isSame = one?.exitCode === other?.exitCode && one?.report === other?.report;
    return isSame ? [] : [`The tests of "${command}" show other results than the receipt says.`];
  });
}

function namesOf(...maps: (ReadonlyMap<string, unknown> | undefined)[]): string[] {
  return [...new Set(maps.flatMap((map) => [...(map?.keys() ?? [])]))];
}

function nameOf({ gate, name }: Receipt["checks"][number]): string {
  return `${gate}: ${name}`;
}
