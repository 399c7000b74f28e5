import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { makeReport, type ReportInput } from './features/reports/report.ts';
import { checkReport, type CheckJob } from './features/workload/check-report.ts';
import type { ReportOrder, ReportOutcome } from './lib/threads.ts';
import { plainError } from './platform/errors.ts';
import { createDraw } from './reporting/draw.ts';

/** What the thread is asked for. */
type Order =
  | ({ readonly kind: 'figures' } & ReportOrder<ReportInput>)
  | ({ readonly kind: 'check' } & ReportOrder<CheckJob>);

/** The thread of the reports. A report that takes more than its limits ends it; the other threads go on. */
const draw = createDraw();

// Where there are fewer cores than work, those who wait for an acknowledgement come first. On Linux this is
// of the thread that calls, elsewhere of the process.
if (process.platform === 'linux') setPriority(10);

parentPort?.on('message', (order: Order) => void answer(order));

async function answer(order: Order): Promise<void> {
  try {
    const report =
      order.kind === 'figures' ? await makeReport(order.job, draw) : checkReport(order.job);
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
