import { onTestFinished } from 'vitest';
import { listen } from '../../support/http.ts';
import type { Platform } from './bot.ts';

/** The platform's answer to each question, by the end of its path. */
export interface Answers {
  /** Rows of a charge query, by group. */
  readonly charges?: readonly { key: string; total: string; currency?: string }[];
  /** Values of a usage query, by group; the default metric is `cpu`. */
  readonly usage?: readonly { key: string; value: string; metric?: string }[];
  readonly tagValues?: readonly string[];
  /** The whole answer to a usage query with steps, by org. */
  readonly usageBodies?: Readonly<Record<string, Buffer>>;
  readonly items?: readonly object[];
  readonly invoice?: object;
}

/**
 * A platform of this test's own with answers of any size. Amounts are
 * written digit by digit: no double of this process has been at them.
 */
export async function startVastPlatform(answers: Answers): Promise<Platform> {
  const { url, close } = await listen((request, response, body) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answerTo(request.url ?? '', body, answers));
  });
  onTestFinished(async () => {
    await close();
  });
  const orgs = ['acme', ...Object.keys(answers.usageBodies ?? {})];
  const tokens = Object.fromEntries(orgs.map((org) => [org, 'key']));
  return { url, billingUrl: `${url}/billing`, usageUrl: `${url}/usage`, tokens };
}

function answerTo(url: string, body: string, answers: Answers): string | Buffer {
  const { charges = [], usage = [], tagValues = [], items = [], invoice = {} } = answers;
  const path = url.replace(/\?.*$/, '');
  const [, org = ''] = /\/org\/([^/]+)\/query$/.exec(path) ?? [];
  const vast = answers.usageBodies?.[org];
  if (vast !== undefined && body.includes('"aggregateByTimeStep":true')) return vast;
  if (path.endsWith('/charges/-query')) {
    const rows = charges.map(({ key, total, currency = 'USD' }) => ({
      key,
      row: `"value":1,"total":${total},"currency":${JSON.stringify(currency)},"ratePlans":["plan"]`,
    }));
    return `{"results":${resultOf(body, rows)}}`;
  }
  if (path.endsWith('/values/query')) return JSON.stringify({ tagValues });
  if (path.endsWith('/query')) {
    return resultOf(
      body,
      usage.map(({ value, ...rest }) => ({ ...rest, row: `"value":${value}` })),
    );
  }
  if (path.endsWith('/chargeable_items')) return JSON.stringify(items);
  if (path.endsWith('/charges/invoices')) return JSON.stringify({ invoices: [invoice] });
  if (path.includes('/charges/invoices/')) return JSON.stringify(invoice);
  return path.includes('/user')
    ? JSON.stringify({ email: 'ada@acme.example', roles: ['billing_admin'] })
    : '{"items":[]}';
}

/** One period, a group for each row, in no order. */
function resultOf(body: string, rows: readonly { key: string; row: string; metric?: string }[]) {
  const query = JSON.parse(body) as { startTime: string; endTime: string; groupBy: string[] };
  const { startTime, endTime, groupBy } = query;
  const [tag = 'workload'] = groupBy;
  const groups = rows.map(({ key, row, metric = 'cpu' }) => {
    const name = `${JSON.stringify(tag)}:${JSON.stringify(key)}`;
    const tags = `{"metric":${JSON.stringify(metric)},"feature":"workloads",${name}}`;
    return `{"key":{${name}},"consumptions":[{${row},"tags":${tags}}]}`;
  });
  return `{"periods":[{"startTime":"${startTime}","endTime":"${endTime}","groups":[${groups.join(',')}]}],"consumptionCount":${rows.length}}`;
}
