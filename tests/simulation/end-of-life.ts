import type { Life, World } from "./world.ts";

/** Lets one life of the program run to its end: the run's end, or that it was killed, or that a full disk ended it. */
export async function endOf<End extends object>(
  world: World,
  life: Life,
  running: Promise<End>,
): Promise<End | "killed" | "fault"> {
  const ended: { result?: End; fault?: unknown } = {};
  void (async () => {
    try {
      ended.result = await running;
    } catch (fault) {
      ended.fault = fault;
    }
  })();
  await world.run(() => "result" in ended || "fault" in ended || life.isOver);
  if (life.isOver) return "killed";
  life.isOver = true;
  if ("fault" in ended && !String(ended.fault).includes("disk full")) throw ended.fault;
  return ended.result ?? "fault";
}
