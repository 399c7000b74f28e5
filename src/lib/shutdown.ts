import { within } from './time.ts';
import { errorMessage } from './errors.ts';
import type { Logger } from './logger.ts';

/**
 * First nothing new comes in, then what runs is finished or handed back, then the connections that
 * both needed are closed.
 */
type ShutdownStage = 'intake' | 'workers' | 'connections';

/** The stages in their order, each with its share of the whole time. */
const stages: readonly { stage: ShutdownStage; share: number }[] = [
  { stage: 'intake', share: 0.2 },
  { stage: 'workers', share: 0.6 },
  { stage: 'connections', share: 0.2 },
];

interface ShutdownResult {
  /** False when a step failed or was given up on. */
  readonly clean: boolean;
}

interface Shutdown {
  /** Registers what has to be closed; steps of one stage run side by side. */
  add(stage: ShutdownStage, name: string, step: () => Promise<void> | void): void;
  /** Runs all stages once, never rejects; a second call gets the result of the first. */
  run(): Promise<ShutdownResult>;
}

interface Step {
  readonly stage: ShutdownStage;
  readonly name: string;
  readonly run: () => Promise<void> | void;
}

/**
 * Closes a process in order and within `timeoutMs` altogether. A step that fails or takes longer
 * than its stage may is logged and passed over, so that one bad step never keeps the others open.
 */
export function createShutdown(deps: {
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}): Shutdown {
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
    add: (stage, name, run) => void steps.push({ stage, name, run }),
    run: () => (running ??= runAll()),
  };
}
