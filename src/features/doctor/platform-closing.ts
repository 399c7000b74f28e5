interface Closable {
  close(): Promise<void>;
}

/** Does the work, and closes what it was done with: at its end, or as soon as nobody waits for it. */
export async function closing<T>(
  opened: readonly Closable[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const close = () => void Promise.allSettled(opened.map((one) => one.close()));
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
