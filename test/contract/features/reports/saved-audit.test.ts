import { expect, test } from 'vitest';
import { parseQuery } from '../../../../src/reporting/query.ts';
import {
  addSaved,
  changeSaved,
  readAllSaved,
  removeSaved,
  type Saved,
} from '../../../../src/features/reports/saved.ts';
import type { Outbox } from '../../../../src/notify/outbox.ts';
import type { Services } from '../../../../src/services.ts';
import { readAudit } from '../../../../src/store/audit.ts';
import { useRedis } from '../../../support/redis.ts';
import { BILLING, startReporting } from '../reporting.ts';

const server = useRedis();
const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };

const over = (amount: string): Saved => ({
  source: 'charges',
  query: {
    ...parseQuery([]),
    range: 'this month',
    by: ['org'],
    of: [],
    items: [],
    orgs: [],
    where: {},
  },
  channel: BILLING,
  by: ADA,
  trigger: { kind: 'over', amount },
});

async function start() {
  let services: Services | undefined;
  await startReporting(server.url, (own) => {
    services = own;
    return [];
  });
  const own = services;
  if (own === undefined) throw new Error('there are no services');
  return { services: own, add: (saved: Saved) => addSaved(own, saved, { reported: [] }) };
}

test('the audit says who scheduled, changed, resumed and stopped a question, and how it was before', async () => {
  const { add, services } = await start();
  const { redis, keys } = services;
  await add(over('1'));
  await add(over('1'));
  const moved = {
    ...over('99'),
    channel: 'C0OTHER',
    by: { ...ADA, userId: 'U0BEA' },
  };
  await changeSaved(services, '1', moved, (memory) => memory);
  await changeSaved(services, '1', moved, () => undefined);
  await changeSaved(services, '1', moved, (memory) => memory, { event: 'report.resume' });
  await removeSaved(services, '1', 'U0CLEO');
  await removeSaved(services, '1', 'U0CLEO');

  const lines = [];
  for await (const { event, by, number, channel, trigger, before } of readAudit(
    redis,
    keys.audit,
    services.logger,
  )) {
    lines.push({ event, by, number, channel, trigger, before });
  }
  const first = { channel: BILLING, trigger: { kind: 'over', amount: '1' } };
  const then = { number: '1', channel: 'C0OTHER', trigger: { kind: 'over', amount: '99' } };
  expect(lines).toMatchObject([
    { event: 'report.add', by: 'U0ADA', number: '1', ...first },
    { event: 'report.change', by: 'U0BEA', ...then, before: first },
    { event: 'report.resume', by: 'U0BEA', ...then },
    { event: 'report.stop', by: 'U0CLEO', ...then },
  ]);
});

test('a change of a question whose answer was lost has one line in the audit', async () => {
  const { add, services } = await start();
  const { redis, keys } = services;
  await add(over('1'));
  const twice: Outbox = {
    ...services.outbox,
    async commit(...args) {
      await services.outbox.commit(...args);
      return services.outbox.commit(...args);
    },
  };

  const other = over('2');
  await changeSaved({ ...services, outbox: twice }, '1', other, (memory) => memory);

  expect(await redis.xlen(keys.audit)).toBe(2);
  expect((await readAllSaved(services))[0]?.saved).toEqual(other);
});

test('one person has at most ten saved questions, unless PERSON_LIMIT is 0', async () => {
  const { services } = await start();
  const add = (amount: number, { personLimit = 30, by = ADA } = {}) =>
    addSaved(
      { ...services, config: { ...services.config, personLimit } },
      { ...over(String(amount)), by },
      { reported: [] },
    );
  for (let amount = 1; amount <= 10; amount += 1) await add(amount);

  await expect(add(11)).rejects.toThrow(
    'You have 10 saved questions, the most that one person can have: end one with /charges unwatch N.',
  );
  // The same question again is no new one.
  await expect(add(10)).resolves.toBe('10');
  await expect(add(11, { by: { ...ADA, userId: 'U0BEA' } })).resolves.toBe('11');
  await expect(add(12, { personLimit: 0 })).resolves.toBe('12');
});
