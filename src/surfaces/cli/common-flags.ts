/** Where a command works. */
export const projectDir = { flags: "-C, --project-dir <dir>", sentence: "work in this directory" };

/** Results for programs. */
export const json = { flags: "--json", sentence: "print results as JSON" };
