/**
 * A run id `YYYYMMDD-HHMMSSffff-<pid>-<seq>`, UTC. `seq` counts over the whole process: with time and pid alone, two
 * tasks started at once had equal ids.
 */
export function renderRunId({ at, pid, seq }: { at: number; pid: number; seq: number }): string {
  const [date = "", time = "", fraction = ""] = new Date(at).toISOString().split(/[T.]/);
  const digits = `${fraction.replace("Z", "")}0`;
  return `${date.replaceAll("-", "")}-${time.replaceAll(":", "")}${digits}-${pid}-${seq}`;
}

/** When and by which process a run id was made; null for an id of another form. */
export function readRunId(id: string): { at: number; pid: number } | null {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(\d{3})0-(\d+)-\d+$/.exec(id);
  if (parts === null) return null;
  const [, year, month, day, hours, minutes, seconds, ms, pid] = parts.map(Number);
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hours, minutes, seconds, ms);
  return { at, pid: pid ?? 0 };
}

/** A task id `task-<YYYYMMDD>-<HHMMSS>-<slug>`; null when the slug is not 3 to 50 of a-z, 0-9 and hyphens. */
export function renderTaskId(at: number, slug: string): string | null {
  if (!/^[a-z0-9-]{3,50}$/.test(slug) || !isSafeId(slug)) return null;
  const [date = "", time = ""] = new Date(at).toISOString().split(/[T.]/);
  return `task-${date.replaceAll("-", "")}-${time.replaceAll(":", "")}-${slug}`;
}

/** Why a project or task id cannot name a folder; null when it can. It never leads out of its parent folder. */
export function idProblem(id: string): string | null {
  if (id === "") return "is empty";
  if (id.length > idCharsMax) return `is longer than ${idCharsMax} characters`;
  return isSafeId(id) ? null : `"${id}" may hold only a-z, 0-9 and hyphens, none at its ends`;
}

/** Whether a name found in `runs/` or given by a person can be a run's folder. */
export function isRunId(name: string): boolean {
  return name.length <= idCharsMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
}

/** A file name has at most 255 bytes; this leaves room for endings. */
const idCharsMax = 200;

function isSafeId(id: string): boolean {
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(id);
}
