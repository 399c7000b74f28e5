import { within } from './time.ts';
import { errorMessage } from './errors.ts';
import type { Logger } from './logger.ts';

/**
 * Intake stops first; then running work is finished or handed back; then the shared connections are closed.
 */
type ShutdownStage = 'intake' | 'workers' | 'connections';

const stages: readonly { stage: ShutdownStage; share: number }[] = [
  { stage: 'intake', share: 0.2 },
  { stage: 'workers', share: 0.6 },
  { stage: 'connections', share: 0.2 },
];

interface ShutdownResult {
  /** False when a step failed or timed out. */
  readonly clean: boolean;
}

interface Step {
  readonly stage: ShutdownStage;
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
  let running: Promise<ShutdownResult> | undefined;

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

  async function runAll(): Promise<ShutdownResult> {
    let clean = true;
    for (const { stage, share } of stages) {
      const due = steps.filter((step) => step.stage === stage);
      const results = await Promise.all(due.map((step) => runStep(step, timeoutMs * share)));
      clean = results.every(Boolean) && clean;
    }
    logger.info({ clean }, 'shutdown finished');
    return { clean };
  }

  return {
    /** Steps of one stage run side by side. */
    add: (stage: ShutdownStage, name: string, run: Step['run']): void => {
      steps.push({ stage, name, run });
    },
    /** Runs all stages once, never rejects; a second call gets the first result. */
    run: (): Promise<ShutdownResult> => (running ??= runAll()),
  };
}
