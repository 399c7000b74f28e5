/** How many bytes of answers may be held at once, by one question or by all of them. */
export interface Allowance {
  /** Whether so many bytes more may be held; they count from now on. */
  take(bytes: number): boolean;
  /** Bytes that are held no more. */
  giveBack(bytes: number): void;
}

/** The allowance of one question. */
export interface OwnAllowance extends Allowance {
  /** Whether something was not taken because of what other questions hold. */
  isCrowdedOut(): boolean;
  /** The question is answered: nothing of it is held, and nothing more is taken. */
  close(): void;
}

/** @param whole the allowance of all questions, of which this one is a part */
export function createAllowance(maxBytes: number, whole?: Allowance): OwnAllowance {
  let held = 0;
  let isClosed = false;
  let isCrowdedOut = false;
  const giveBack = (bytes: number): void => {
    if (isClosed) return;
    held -= bytes;
    whole?.giveBack(bytes);
  };
  return {
    take(bytes) {
      if (isClosed || held + bytes > maxBytes) return false;
      if (whole?.take(bytes) === false) {
        isCrowdedOut = true;
        return false;
      }
      held += bytes;
      return true;
    },
    giveBack,
    isCrowdedOut: () => isCrowdedOut,
    close() {
      giveBack(held);
      isClosed = true;
    },
  };
}
