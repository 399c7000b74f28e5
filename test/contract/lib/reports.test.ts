import { afterEach, describe, expect, it } from 'vitest';
import type { ReportInput } from '../../../src/features/reports/report.ts';
import type { CheckJob } from '../../../src/features/workload/check-report.ts';
import { createReports, type Reports } from '../../../src/lib/threads.ts';
import { errorOf, PlatformError } from '../../../src/platform/errors.ts';
import { denseUsage, heavyUsage } from '../../support/heavy-usage.ts';
import { until } from '../../support/until.ts';
import { listeningLogger } from '../slack/support.ts';

const MB = 1024 * 1024;
const opened: Reports[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** The reports of a thread; the one of the bot if a test names no other. */
function start(changes: Partial<Parameters<typeof createReports>[0]> = {}) {
  const entry = new URL('../../../src/report-thread.ts', import.meta.url);
  const { logger } = listeningLogger([]);
  const reports = createReports({ logger, entry, errorOf, ...changes });
  opened.push(reports);
  return {
    figures: (input: ReportInput, bytes = 0) => reports.run({ kind: 'figures', job: input, bytes }),
    check: (input: CheckJob) =>
      reports.run({ kind: 'check', job: input, bytes: input.text.length }),
    close: () => reports.close(),
  };
}

/** A thread that runs this code. */
function entryOf(code: string): URL {
  const source = `import { parentPort as port, threadId } from 'node:worker_threads';\n${code}`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

const by = ['workload', 'gvc', 'metric', 'volumeIndex'];
const startMs = Date.UTC(2026, 9, 1);
const endMs = startMs + 40 * 86_400_000;

/** A report of 40 days in hours, from this answer of one org. */
function jobOf(body: Uint8Array): ReportInput {
  const query = { range: 'last 40 days', by, of: [], items: [], where: {}, orgs: [] };
  const range = { startMs, endMs };
  return {
    bodies: {
      source: 'usage',
      question: {
        viewer: { userId: 'U1' },
        query: { ...query, step: 'hour' },
        by,
        range,
        nowMs: endMs,
      },
      now: { answers: [{ org: 'acme', value: { body }, readAt: endMs }], failures: [] },
      before: { isKept: false },
      whole: { isKept: false },
    },
    wanted: { kind: 'totals', page: 1, notes: [], now: endMs },
  };
}

/** A manifest whose text is a command for a test's own thread. */
const job = (text: string) => ({ text, prefix: 'svc' });

describe('the thread of the reports', () => {
  it('makes a table and a file from an answer of the platform', async () => {
    const reports = start();
    const { body, rows } = heavyUsage(MB);

    const shown = await reports.figures(jobOf(body));
    const file = await reports.figures({ ...jobOf(body), wanted: { kind: 'csv' } });

    expect(shown).toMatchObject({
      kind: 'shown',
    });
    const said = JSON.stringify(shown);
    expect(said).toContain('*Usage by workload, gvc, metric, volumeIndex* per hour');
    expect(said).toContain('"type":"data_visualization"');
    expect(file).toMatchObject({ what: `All ${rows.toLocaleString('en-US')} rows are in` });
    const { content } = file as { content: Uint8Array };
    expect(Buffer.from(content).toString().split('\r\n')).toHaveLength(rows + 2);
  });

  it('checks a manifest', async () => {
    const report = await start().check(
      job('name: web\nspec:\n  defaultOptions: {timeoutSeconds: 900}'),
    );

    expect(JSON.stringify(report)).toContain('is 900, but takes 1 to 600 seconds');
  });

  it('that needs more memory than it may have ends alone, and the next report is made', async () => {
    const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };
    const reports = start({ resourceLimits });

    await expect(reports.figures(jobOf(denseUsage(12 * MB)))).rejects.toMatchObject({
      name: 'ReportFailed',
      reason: 'too-large',
    });

    expect(await reports.figures(jobOf(heavyUsage(MB).body))).toMatchObject({ kind: 'shown' });
  });

  it.each([
    ['takes longer than it may', 'hang', { reason: 'too-large' }, 2_000],
    ['fails for a reason of its own', 'fail', { message: 'out of luck' }, undefined],
  ])('that %s ends, and the next report is made', async (_, command, failure, limitMs) => {
    const entry = entryOf(`
port.on('message', ({ job }) => {
  while (job.text === 'hang') ;
  if (job.text === 'fail') throw new Error('out of luck');
  port.postMessage({ report: { answer: job.text } });
});`);
    const reports = start({ entry, ...(limitMs && { limitMs }) });

    await expect(reports.check(job(command))).rejects.toMatchObject(failure);

    expect(await reports.check(job('go on'))).toEqual({ answer: 'go on' });
  });

  it('refuses who would have to wait behind twenty others', async () => {
    const reports = start({ entry: entryOf(`port.on('message', () => {});`), limitMs: 120_000 });

    const waiting = Array.from({ length: 21 }, () => reports.check(job('wait')));
    const refused = Promise.allSettled(waiting);

    await expect(reports.check(job('one more'))).rejects.toMatchObject({ reason: 'busy' });
    await reports.close();
    const outcomes = (await refused).map((one) => one.status === 'rejected' && one.reason);
    expect(outcomes).toEqual(Array(21).fill(expect.objectContaining({ reason: 'stopped' })));
  });

  it('frees the memory of a large report, and stays for small ones', async () => {
    const entry = entryOf(
      `port.on('message', () => port.postMessage({ report: { kind: threadId } }));`,
    );
    const reports = start({ entry });
    const threadOf = async (bytes: number) => {
      const { kind } = (await reports.figures(jobOf(Buffer.alloc(bytes)), bytes)) as {
        kind: unknown;
      };
      return kind;
    };

    const [first, second] = [await threadOf(10), await threadOf(5 * MB)];

    expect(second).toBe(first);
    expect(await threadOf(10)).not.toBe(first);
  });

  it('reports a fault of the platform as the main thread does', async () => {
    const failure = await start()
      .figures(jobOf(Buffer.from('<html>')))
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(PlatformError);
    expect(failure).toMatchObject({ reason: 'malformed', message: 'the answer is not valid JSON' });
  });

  it('that dies when no one waits for it takes nothing with it', async () => {
    const entry = entryOf(`
port.on('message', ({ job }) => {
  port.postMessage({ report: { answer: threadId } });
  if (job.text === 'die') setImmediate(() => { throw new Error('too late'); });
});`);
    const { logger, lines } = listeningLogger([]);
    const reports = start({ entry, logger });

    const first = await reports.check(job('die'));
    await until('it to be dead', () => lines().includes('The thread of the reports has ended'));

    expect(await reports.check(job('go on'))).not.toEqual(first);
  });
});
