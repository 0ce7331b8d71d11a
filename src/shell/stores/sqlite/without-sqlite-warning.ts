/**
 * Runs what loads SQLite. Node 22 warns of it as experimental, on the terminal of whoever uses the library, who can do
 * nothing about it; every other warning goes its usual way.
 */
export function withoutSqliteWarning<Result>(load: () => Result): Result {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was, and called on the process
  const { emitWarning } = process;
  const quiet = (warning: string | Error, ...rest: never[]): void => {
    if (!String(warning).startsWith(sqliteWarning)) emitWarning.call(process, warning, ...rest);
  };
  process.emitWarning = quiet;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const sqliteWarning = "SQLite is an experimental feature";
