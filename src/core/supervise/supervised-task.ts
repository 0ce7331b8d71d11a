/** What a supervised run is about, frozen at its start. */
export type SupervisedTask = {
  /** Holds DONE, the bus and the runs; locked while the task is supervised. */
  taskDir: string;
  projectId: string;
  taskId: string;
  /** How often children are looked at while they are waited for. */
  pollMs: number;
  /** What becomes of children that outlive the wait. */
  onChildTimeout: "terminate" | "orphan";
  /** The agent's arguments exactly as they were given; null: those of the settings. */
  flags: string[] | null;
  /** A DONE from before the start is removed. */
  isFresh: boolean;
};
