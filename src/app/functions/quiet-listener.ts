/** A caller's listener that breaks nothing: what it throws, or what its promise rejects with, reaches nobody. */
export function quietListener<News>(listener: ((news: News) => unknown) | undefined): (news: News) => void {
  return (news) => {
    try {
      void Promise.resolve(listener?.(news)).catch(() => {});
    } catch {
      // The listener's own trouble, not that of what it listens to.
    }
  };
}
