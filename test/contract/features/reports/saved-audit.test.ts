import { expect, test } from 'vitest';
import {
  makeSaved,
  readAllSaved,
  removeSaved,
  replaceSaved,
} from '../../../../src/features/reports/saved.ts';
import type { Outbox } from '../../../../src/notify/outbox.ts';
import { readAudit } from '../../../../src/store/audit.ts';
import { useRedis } from '../../../support/redis.ts';
import { BILLING } from '../reporting.ts';
import { ADA, over, startSaved } from './saved-support.ts';

const server = useRedis();
test('the audit says who scheduled, changed, resumed and stopped a question, and how it was before', async () => {
  const { add, services } = await startSaved(server.url);
  const { redis, keys } = services;
  await add(over('this month', '1'));
  await add(over('this month', '1'));
  const moved = {
    ...over('this month', '99'),
    channel: 'C0OTHER',
    by: { ...ADA, userId: 'U0BEA' },
  };
  await replaceSaved(services, '1', moved);
  const unwanted = replaceSaved(services, '1', moved, { isWanted: () => false });
  await expect(unwanted).rejects.toThrow('no longer exists');
  await replaceSaved(services, '1', moved, { event: 'report.resume' });
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
  const { add, services } = await startSaved(server.url);
  const { redis, keys } = services;
  await add(over('this month', '1'));
  const twice: Outbox = {
    ...services.outbox,
    async commit(...args) {
      await services.outbox.commit(...args);
      return services.outbox.commit(...args);
    },
  };

  const other = over('this month', '2');
  await replaceSaved({ ...services, outbox: twice }, '1', other);

  expect(await redis.xlen(keys.audit)).toBe(2);
  expect((await readAllSaved(services))[0]?.saved).toEqual(other);
});

test('one person has at most ten saved questions, unless PERSON_LIMIT is 0', async () => {
  const { services } = await startSaved(server.url);
  const add = (amount: number, { personLimit = 30, by = ADA } = {}) =>
    makeSaved(
      { ...services, config: { ...services.config, personLimit } },
      { ...over('this month', String(amount)), by },
      { reported: [] },
    );
  for (let amount = 1; amount <= 10; amount += 1) await add(amount);

  await expect(add(11)).rejects.toThrow(
    'You have 10 saved questions, the most that one person can have: end one with /charges unwatch N.',
  );
  // The same question again is no new one.
  await expect(add(10)).resolves.toMatchObject({ number: '10' });
  await expect(add(11, { by: { ...ADA, userId: 'U0BEA' } })).resolves.toMatchObject({
    number: '11',
  });
  await expect(add(12, { personLimit: 0 })).resolves.toMatchObject({ number: '12' });
});
