import { describe, expect, it } from "vitest";
import { disbelief, nameDisbelieved, type SenderProcess, senderOf, unheard } from "./event-sender.ts";

const id = "ses-1";
const [terminal, host, hook] = [process(10, []), process(20, []), process(40, [`ID=${id}`, "HOOK=1"])];
const shell = process(30, [`ID=${id}`]);
const known = { pid: host.pid, startTime: host.startTime, isAlive: true };

function process(pid: number, environment: string[]): SenderProcess {
  return { pid, startTime: `boot:${pid}`, environment };
}

function check(lineage: SenderProcess[], knownHost: typeof known | null, expected: unknown): void {
  const isHookEnvironment = (environment: readonly string[]): boolean => environment.includes("HOOK=1");
  const sender = senderOf(lineage, { sessionId: id, knownHost, isHookEnvironment });
  expect(sender.kind === "host" ? (sender.host?.pid ?? null) : sender.kind).toBe(expected);
}

describe("an event is believed only from the host: it comes", () => {
  it.each<[string, SenderProcess[], typeof known | null, unknown]>([
    ["from the host", [hook, host, terminal], null, 20],
    ["from the host, through a shell of its own", [process(41, ["HOOK=1"]), hook, host], known, 20],
    ["from a host that does not tell the session's id", [process(40, []), host, terminal], null, null],
    [
      "from the host that resumed the session after the first one ended",
      [hook, host],
      { ...known, pid: 9, isAlive: false },
      20,
    ],
    ["from an agent's command", [process(42, [`ID=${id}`]), shell, host], null, "agent"],
    ["from an agent's command that pretends to be a hook", [hook, shell, host], known, "agent"],
    ["from an agent's command without its environment", [process(43, []), shell, host], known, "agent"],
    ["from an agent's process that detached itself", [process(44, []), process(1, [])], known, "stranger"],
    ["from one that pretends to be a hook besides", [hook, process(1, [])], known, "stranger"],
    ["from one that has the number of the host", [hook, { ...host, startTime: "boot:21" }], known, "stranger"],
  ])("%s", (_, lineage, knownHost, expected) => check(lineage, knownHost, expected));
});

describe("an event that was not believed", () => {
  const sentence = disbelief("agent", "session-end");

  it("is named with every stop until one is allowed, beside what is said of that stop", () => {
    expect(nameDisbelieved({ notice: "Verified." }, [sentence])).toEqual({ notice: `Verified.\n${sentence}` });
    expect(nameDisbelieved({}, [sentence])).toEqual({ notice: sentence });
    expect(nameDisbelieved({}, [])).toEqual({});
    expect(unheard({ block: "Go on." }, [sentence])).toEqual([sentence]);
    expect(unheard({}, [sentence])).toEqual([]);
  });

  it("is said to be another process's where the host is not above it", () =>
    expect(disbelief("stranger", "stop")).toBe(
      "A stop event came from a process outside of this session's host, not from the host; it had no effect.",
    ));
});
