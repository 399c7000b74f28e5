import { type Change, type Model, reduce } from './model.ts';

export type Store = ReturnType<typeof createStore>;

/** Holds the model; listeners are called after every change. */
export function createStore(start: Model) {
  let current = start;
  const listeners = new Set<() => void>();
  return {
    model: (): Model => current,
    dispatch: (change: Change): void => {
      current = reduce(current, change);
      for (const listener of listeners) listener();
    },
    /** Answers the function that ends the subscription. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
