import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Platform } from './bot.ts';

/** What the platform answers to each question, by the end of its path. */
export interface Answers {
  /** Rows of a charge query, by group. */
  readonly charges?: readonly { key: string; total: string; currency?: string }[];
  /** Values of a usage query, by group; of the metric `cpu`, unless it is said. */
  readonly usage?: readonly { key: string; value: string; metric?: string }[];
  readonly tagValues?: readonly string[];
  /** The whole answer to a usage query with steps, by org. */
  readonly usageBodies?: Readonly<Record<string, Buffer>>;
  readonly items?: readonly object[];
  readonly invoice?: object;
}

/**
 * A platform of this test's own that says whatever it is told to, however much that is. Amounts are
 * written digit by digit: no double of this process has been at them.
 */
export async function startVastPlatform(
  answers: Answers,
): Promise<Platform & { close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answerTo(request.url ?? '', body, answers));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    billingUrl: `${url}/billing`,
    usageUrl: `${url}/usage`,
    tokens: Object.fromEntries(
      ['acme', ...Object.keys(answers.usageBodies ?? {})].map((org) => [org, 'key']),
    ),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Query {
  readonly startTime: string;
  readonly endTime: string;
  readonly groupBy: readonly string[];
  readonly aggregateByTimeStep?: boolean;
}

function answerTo(url: string, body: string, answers: Answers): string | Buffer {
  const path = url.replace(/\?.*$/, '');
  const [, org = ''] = /\/org\/([^/]+)\/query$/.exec(path) ?? [];
  const vast = answers.usageBodies?.[org];
  if (vast !== undefined && body.includes('"aggregateByTimeStep":true')) return vast;
  if (path.endsWith('/charges/-query')) {
    const rows = (answers.charges ?? []).map(({ key, total, currency = 'USD' }) => ({
      key,
      row: `"value":1,"total":${total},"currency":${JSON.stringify(currency)},"ratePlans":["plan"]`,
    }));
    return `{"results":${resultOf(JSON.parse(body) as Query, rows)}}`;
  }
  if (path.endsWith('/query') && !path.endsWith('/values/query')) {
    const rows = (answers.usage ?? []).map(({ value, ...rest }) => ({
      ...rest,
      row: `"value":${value}`,
    }));
    return resultOf(JSON.parse(body) as Query, rows);
  }
  if (path.endsWith('/values/query')) return JSON.stringify({ tagValues: answers.tagValues ?? [] });
  if (path.endsWith('/chargeable_items')) return JSON.stringify(answers.items ?? []);
  if (path.endsWith('/charges/invoices')) return JSON.stringify({ invoices: [answers.invoice] });
  if (path.includes('/charges/invoices/')) return JSON.stringify(answers.invoice ?? {});
  if (path.includes('/user')) {
    return JSON.stringify({ email: 'ada@acme.example', roles: ['billing_admin'] });
  }
  return '{"items":[]}';
}

/** One period, a group for each row, in no order. */
function resultOf(
  query: Query,
  rows: readonly { key: string; row: string; metric?: string }[],
): string {
  const { startTime, endTime, groupBy } = query;
  const [tag = 'workload'] = groupBy;
  const groups = rows.map(({ key, row, metric = 'cpu' }) => {
    const name = `${JSON.stringify(tag)}:${JSON.stringify(key)}`;
    const tags = `{"metric":${JSON.stringify(metric)},"feature":"workloads",${name}}`;
    return `{"key":{${name}},"consumptions":[{${row},"tags":${tags}}]}`;
  });
  return `{"periods":[{"startTime":"${startTime}","endTime":"${endTime}","groups":[${groups.join(',')}]}],"consumptionCount":${rows.length}}`;
}
