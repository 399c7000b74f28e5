import type { PageMessage } from '../../page-protocol.ts';
import { type Stage, type Step, STEPS, until } from './steps.ts';

export type TourState = {
  /** The step that is shown, after the last one when all were; absent: the tour is closed. */
  readonly at?: number;
  /** How much of the step was done. */
  readonly acted: number;
  /** Ids of the ticked steps. */
  readonly done: readonly string[];
  readonly busy: boolean;
  readonly problem: string;
  /** When the step was begun, in seconds. */
  readonly since: number;
  /** The welcome is gone, until the page is loaded again. */
  readonly dismissed: boolean;
};

export type Tour = ReturnType<typeof createTour>;

const START: TourState = {
  acted: 0,
  done: [],
  busy: false,
  problem: '',
  since: 0,
  dismissed: false,
};

/** The newest message that a step is about, once it was begun. */
function pointedAt(step: Step | undefined, state: TourState, messages: readonly PageMessage[]) {
  const { looksAt, old = false } = step ?? {};
  if (looksAt === undefined || (state.acted === 0 && !state.busy)) return undefined;
  return messages.findLast(
    ({ text, ts }) => looksAt.test(text) && (old || Number(ts) > state.since),
  );
}

/** The tour and the welcome; they outlive a change of the acting person. */
export function createTour(stage: Stage) {
  let state = START;
  const listeners = new Set<() => void>();
  const set = (change: Partial<TourState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const stepNow = (): Step | undefined => STEPS[state.at ?? STEPS.length];

  const show = (at: number): void => {
    set({ at, acted: 0, problem: '' });
    const step = stepNow();
    if (step !== undefined) stage.workspace().go(step.place);
  };
  const pointed = (messages: readonly PageMessage[]) => pointedAt(stepNow(), state, messages);
  const act = async (step: Step): Promise<void> => {
    const since = state.acted === 0 ? Date.now() / 1_000 - 1 : state.since;
    set({ busy: true, problem: '', since });
    stage.workspace().go(step.place);
    try {
      await step.acts[state.acted]?.(stage);
      const { place, looksAt } = step;
      if (looksAt !== undefined && place.type === 'channel') {
        await until(stage, ({ messages }) => pointed(messages[place.id] ?? []));
      }
    } catch (error) {
      set({ problem: error instanceof Error ? error.message : 'That did not work.' });
    }
    const acted = state.problem === '' ? state.acted + 1 : step.acts.length;
    const isDone = acted === step.acts.length && !state.done.includes(step.id);
    set({ busy: false, acted, done: isDone ? [...state.done, step.id] : state.done });
  };

  return {
    state: () => state,
    stepNow,
    pointed,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Shows a step by its id, else the first one. */
    start: (id?: string): void =>
      show(
        Math.max(
          0,
          STEPS.findIndex((step) => step.id === id),
        ),
      ),
    /** Does what the step is about, or goes to the next one. */
    press: async (): Promise<void> => {
      const step = stepNow();
      if (step === undefined || state.busy) return;
      if (state.acted < step.acts.length) await act(step);
      else show((state.at ?? 0) + 1);
    },
    close: (): void => {
      const { at: _at, ...rest } = state;
      state = rest;
      set({});
    },
    dismiss: (): void => set({ dismissed: true }),
  };
}
