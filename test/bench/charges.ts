import { readCharges } from '../../src/platform/billing/charge-rows.ts';
import { parseExact } from '../../src/platform/json.ts';
import { createSandboxPlatform } from '../../src/sandbox/platform/server.ts';
import { median, type Figure } from './measure.ts';

const MONTH = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-11-01T00:00:00Z' };
const NOW = Date.UTC(2026, 10, 20, 12);
const ACCOUNT = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const TOKEN = 'svc-bsat-sandbox-all';
const GROUPS = ['org', 'gvc', 'workload'];
const AGGREGATES = [...GROUPS, 'feature', 'metric', 'locationType', 'performanceClass'];

/** A month of charges of three orgs: exact numbers against JSON.parse, and the stand-in by the clock. */
export async function benchCharges(): Promise<Figure[]> {
  const platform = createSandboxPlatform({ now: () => NOW });
  await platform.listen();
  const ask = (changes: object) => fetchText(platform.billingUrl, { ...MONTH, ...changes });
  const days = await ask({ timeStep: 'day', aggregateByTimeStep: true });
  const started = performance.now();
  await ask({ timeStep: 'month', orgs: ['acme'] });
  const oneOrg = performance.now() - started;
  await platform.close();

  const native = median(() => JSON.parse(days));
  const exact = median(() => parseExact(days));
  const parsed = parseExact(days);
  const read = median(() => readCharges(parsed, GROUPS));
  console.log(
    `31 days of charges, ${(days.length / 1e6).toFixed(1)} MB: JSON.parse ${native.toFixed(0)} ms, ` +
      `exact ${exact.toFixed(0)} ms, read ${read.toFixed(0)} ms; ` +
      `the stand-in answers a month of one org in ${oneOrg.toFixed(0)} ms`,
  );
  return [
    { what: 'parse a month of charges exactly / JSON.parse', ratio: exact / native, target: 4 },
    { what: 'read and check every charge / JSON.parse', ratio: read / native, target: 4 },
  ];
}

async function fetchText(billingUrl: string, query: object): Promise<string> {
  const answer = await fetch(`${billingUrl}/account/${ACCOUNT}/charges/-query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      groupBy: GROUPS,
      consumptionQueries: [{ aggregateBy: AGGREGATES }],
      ...query,
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.text();
}
