import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { figuresReport } from './features/figures-report.ts';
import { plainError } from './features/plain-errors.ts';
import { checkReport } from './features/workload/check-report.ts';
import { createDraw } from './figures/draw.ts';
import type { ReportOrder, ReportOutcome } from './reports.ts';

/** The thread of the reports. What it cannot do without its limits ends it; the other threads go on. */
const draw = createDraw();

// Where there are fewer cores than work, those who wait for an acknowledgement come first. On Linux this is
// of the thread that calls, elsewhere of the process.
if (process.platform === 'linux') setPriority(10);

parentPort?.on('message', (order: ReportOrder) => void answer(order));

async function answer(order: ReportOrder): Promise<void> {
  try {
    const report =
      order.kind === 'figures' ? await figuresReport(order.job, draw) : checkReport(order.job);
    tell({ report }, 'kind' in report && report.kind === 'file' ? report.content : undefined);
  } catch (error) {
    tell({ error: plainError(error) });
  }
}

/** @param content is handed over and not copied, unless it lies among other things of this thread */
function tell(outcome: ReportOutcome, content?: Uint8Array): void {
  const isAlone = content !== undefined && content.byteLength === content.buffer.byteLength;
  parentPort?.postMessage(outcome, isAlone ? [content.buffer as ArrayBuffer] : []);
}
