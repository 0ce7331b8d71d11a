type Close = () => Promise<void>;

const open = new Set<Close>();

/** What a place says when it is closed. */
type OnFault = (fault: Error) => void;

const rethrow: OnFault = (fault) => {
  throw fault;
};

/** Runs something with places of its own and closes them, however it ends. */
export async function withClosing<Result>(
  use: (atEnd: (close: Close) => void) => Promise<Result>,
  onFault: OnFault = rethrow,
): Promise<Result> {
  const own: Close[] = [];
  try {
    return await use((close) => {
      own.push(close);
      open.add(close);
    });
  } finally {
    for (const close of own) {
      open.delete(close);
      await close().catch((fault: unknown) => onFault(fault instanceof Error ? fault : new Error(String(fault))));
    }
  }
}

/** Closes every place that is still open, with what lives in it: the suite is interrupted. */
export async function closeAll(): Promise<void> {
  await Promise.allSettled(Array.from(open, (close) => close()));
}
