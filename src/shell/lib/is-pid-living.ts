/** Whether a process of this number lives, whoever owns it. */
export function isPidLiving(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user, but alive.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
