interface Closable {
  close(): Promise<void>;
}

/**
 * Does the work, and closes what it was done with: at its end, or when the time is over. Then what still
 * runs ends as too slow, and so does what begins.
 */
export async function closing<T>(
  opened: readonly Closable[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const close = () => void Promise.allSettled(opened.map((one) => one.close()));
  signal.addEventListener('abort', close, { once: true });
  try {
    if (signal.aborted) close();
    return await work();
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
