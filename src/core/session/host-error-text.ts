/** The words of anything that a host threw or returned as an error, also of a thing that refers to itself. */
export function hostErrorText(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return String(error);
  const { message } = error as { message?: unknown };
  if (typeof message === "string" && message !== "") return message;
  try {
    return JSON.stringify(error);
  } catch {
    return "an error that cannot be shown";
  }
}
