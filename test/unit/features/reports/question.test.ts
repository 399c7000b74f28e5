import { describe, expect, it } from 'vitest';
import { resolveQuestion } from '../../../../src/features/reports/question.ts';
import type { Source } from '../../../../src/features/reports/source.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { later, openQuery } from './support.ts';

const help = { command: '/charges', summary: '', usages: [], examples: [] };
const source = (orgs: Source['orgs'], knownItems?: Source['knownItems']): Source => ({
  help,
  name: 'charges',
  needs: () => 'billing',
  by: ['org'],
  authorize: ({ userId }) => Promise.resolve({ userId }),
  orgs,
  usualOrgs: () => [],
  ...(knownItems ? { knownItems } : {}),
  ask: () => Promise.reject(new Error('is not asked')),
  tagValues: () => Promise.reject(new Error('is not asked')),
});
const readOrgs = () => Promise.resolve(['acme', 'globex']);
const known = source(readOrgs);
const viewer = { userId: 'U1' };
const ask = (changes: Partial<typeof openQuery>, of = known) =>
  resolveQuestion(
    of,
    viewer,
    { query: { ...openQuery, ...changes }, askedAt: later },
    { now: () => later },
  );

const DOWN = new PlatformError('timeout', 'no answer');

/** An account with these items, of which two share a name. */
function pricing(skipped = 0): Source {
  const items = ['cpu', 'egress', 'egress', 'Item-2', 'GPU'].map((name, at): ChargeableItem => ({
    id: `item-${at}`,
    name,
    description: '',
    consumptionTags: {},
    unit: '',
    type: undefined,
  }));
  return source(readOrgs, () => Promise.resolve({ items, skipped }));
}

describe('a question', () => {
  it('groups charges by chargeable item, and refuses that of usage', async () => {
    const usage = { ...known, name: 'usage' as const };
    const refused = ask({ by: ['item', 'org'] }, usage);

    expect((await ask({ by: ['item', 'org'] })).by).toEqual(['item', 'org']);
    await expect(refused).rejects.toMatchObject({
      message: 'Only charges have chargeable items to group by.',
      suggestion: '/charges 2026-10 by item,org',
    });
  });

  it('has the span, and the grouping of the command where none is named', async () => {
    const { by, range } = await ask({ range: '2026-10' });

    expect(by).toEqual(['org']);
    expect(new Date(range.endMs).toISOString()).toBe('2026-11-01T00:00:00.000Z');
    expect((await ask({ by: ['gvc'] })).by).toEqual(['gvc']);
  });

  it('takes an org in any case, once', async () => {
    expect((await ask({ orgs: ['ACME', 'acme', 'globex'] })).query.orgs).toEqual([
      'acme',
      'globex',
    ]);
  });

  it('asks for usage only of the orgs in its filter', async () => {
    const usage = { ...known, name: 'usage' as const };

    const { query } = await ask({ where: { org: 'acme', gvc: 'shop' } }, usage);

    expect([query.orgs, query.where]).toEqual([['acme'], { gvc: 'shop' }]);
    expect((await ask({ where: { org: '/ac/' } }, usage)).query.where).toEqual({ org: '/ac/' });
  });

  it('suggests to leave out an org that is named all', async () => {
    await expect(ask({ orgs: ['all'] })).rejects.toMatchObject({ suggestion: '/charges 2026-10' });
    const all = source(() => Promise.resolve(['acme', 'all']));
    expect((await ask({ orgs: ['all'] }, all)).query.orgs).toEqual(['all']);
  });

  it('leaves an org to the platform when the list cannot be read', async () => {
    const blind = source(() => Promise.reject(DOWN));
    expect((await ask({ orgs: ['umbrella'] }, blind)).query.orgs).toEqual(['umbrella']);
  });

  it('takes an item in any case, once, and by its id', async () => {
    const items = ['EGRESS', 'item-1', 'egress', 'item-4'];
    expect((await ask({ items }, pricing())).query.items).toEqual(['egress', 'GPU']);
  });

  it('takes an id for nothing else where an item has that name', async () => {
    expect((await ask({ items: ['item-2'] }, pricing())).query.items).toEqual(['Item-2']);
  });

  it.each([
    ['cannot be read', source(readOrgs, () => Promise.resolve(undefined))],
    ['is a list of nothing', source(readOrgs, () => Promise.resolve({ items: [], skipped: 0 }))],
    ['has no reader, because billing is off', known],
    ['could be read only in part', pricing(1)],
  ])('leaves an item to the platform when the catalogue %s', async (_, blind) => {
    expect((await ask({ items: ['egrss'] }, blind)).query.items).toEqual(['egrss']);
  });

  it('reads no catalogue for nothing', async () => {
    const strict = source(readOrgs, () => Promise.reject(new Error('not expected')));
    expect((await ask({}, strict)).query.items).toEqual([]);
  });
});
