import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { makeReport, type ReportInput } from './features/reports/report.ts';
import { checkReport, type CheckJob } from './features/workload/check-report.ts';
import { measureThread } from './lib/metrics.ts';
import type { MetricsOrder, ReportOrder, ReportOutcome } from './lib/threads.ts';
import { plainError } from './platform/errors.ts';

type Order =
  | ({ readonly kind: 'figures' } & ReportOrder<ReportInput>)
  | ({ readonly kind: 'check' } & ReportOrder<CheckJob>)
  | MetricsOrder;

/** The report thread. A report that exceeds its limits ends it; the other threads go on. */
// With fewer cores than work, Slack's acknowledgements come first. On Linux this applies to the calling
// thread, elsewhere to the process.
if (process.platform === 'linux') setPriority(10);

const measured = measureThread('report');
parentPort?.on('message', answer);

function answer(order: Order): void {
  if (order.kind === 'metrics') {
    void measured().then((values) => order.port.postMessage(values));
    return;
  }
  try {
    const report = order.kind === 'figures' ? makeReport(order.job) : checkReport(order.job);
    post({ report }, 'kind' in report && report.kind === 'file' ? report.content : undefined);
  } catch (error) {
    post({ error: plainError(error) });
  }
}

/** @param content is transferred, not copied, unless it shares its buffer with other data */
function post(outcome: ReportOutcome, content?: Uint8Array): void {
  const isAlone = content !== undefined && content.byteLength === content.buffer.byteLength;
  parentPort?.postMessage(outcome, isAlone ? [content.buffer as ArrayBuffer] : []);
}
