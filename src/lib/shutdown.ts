import { within } from './time.ts';
import { errorMessage } from './errors.ts';
import type { Logger } from './logger.ts';

/**
 * Intake stops first; then running work is finished or handed back; then the shared connections are closed. Each has
 * a share of the time.
 */
const SHARES = { intake: 0.2, workers: 0.6, connections: 0.2 } as const;
type Stage = keyof typeof SHARES;

interface Step {
  readonly stage: Stage;
  readonly name: string;
  readonly run: () => Promise<void> | void;
}

/**
 * Closes a process in order, within `timeoutMs` altogether. A step that fails or takes longer than its stage
 * is logged and skipped, so that it never keeps the others open.
 */
export function createShutdown(deps: {
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}) {
  const { timeoutMs, logger } = deps;
  const steps: Step[] = [];
  let running: Promise<{ clean: boolean }> | undefined;

  async function runStep({ stage, name, run }: Step, limitMs: number): Promise<boolean> {
    try {
      const done = Promise.resolve(run()).then(() => true);
      if (await within(done, limitMs, false)) return true;
      throw new Error(`not finished within ${Math.round(limitMs)} ms`);
    } catch (error) {
      logger.error({ stage, step: name, reason: errorMessage(error) }, 'shutdown step failed');
      return false;
    }
  }

  async function runAll(): Promise<{ clean: boolean }> {
    let clean = true;
    for (const [stage, share] of Object.entries(SHARES)) {
      const due = steps.filter((step) => step.stage === stage);
      const results = await Promise.all(due.map((step) => runStep(step, timeoutMs * share)));
      clean = results.every(Boolean) && clean;
    }
    logger.info({ clean }, 'shutdown finished');
    return { clean };
  }

  return {
    /** Steps of one stage run side by side. */
    add: (stage: Stage, name: string, run: Step['run']): void => {
      steps.push({ stage, name, run });
    },
    /** Runs all stages once, never rejects; a second call gets the first result. `clean`: no step failed or timed out. */
    run: (): Promise<{ clean: boolean }> => (running ??= runAll()),
  };
}
