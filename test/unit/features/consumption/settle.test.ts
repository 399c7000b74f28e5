import { describe, expect, it } from 'vitest';
import { settle } from '../../../../src/features/consumption/settle.ts';
import type { Source } from '../../../../src/features/consumption/source.ts';
import { Unreadable } from '../../../../src/lib/refusal.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { later, openQuery } from './support.ts';

const help = { command: '/charges', summary: '', usages: [], examples: [] };
const source = (orgs: Source['orgs']): Source => ({
  help,
  name: 'charges',
  needs: 'billing',
  by: ['org'],
  authorize: () => Promise.resolve(),
  orgs,
  find: () => Promise.reject(new Error('is not asked')),
  tagValues: () => Promise.reject(new Error('is not asked')),
});
const known = source(() => Promise.resolve(['acme', 'globex']));
const ask = (changes: Partial<typeof openQuery>, of = known) =>
  settle(of, { query: { ...openQuery, ...changes }, askedAt: later }, { now: () => later });

describe('a question', () => {
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

  it('about an org that is mistyped suggests the whole command', async () => {
    const failure: unknown = await ask({ orgs: ['globx'], by: ['gvc'] }).catch((error) => error);

    expect(failure).toBeInstanceOf(Unreadable);
    expect((failure as Unreadable).message).toBe('There is no org "globx" here.');
    expect((failure as Unreadable).suggestion).toBe('/charges 2026-10 by gvc org globex');
  });

  it('about an org like none names those that there are', async () => {
    await expect(ask({ orgs: ['umbrella'] })).rejects.toThrow(
      'There is no org "umbrella" here: there are acme, globex.',
    );
  });

  it('leaves an org to the platform when the list cannot be read', async () => {
    const blind = source(() => Promise.reject(new PlatformError('timeout', 'no answer')));

    expect((await ask({ orgs: ['umbrella'] }, blind)).query.orgs).toEqual(['umbrella']);
  });

  it('with more than 1,000 steps is refused with a step that fits', async () => {
    await expect(ask({ range: 'last 12 months', step: 'hour' })).rejects.toThrow(
      'That would be 8,760 steps, and an answer has at most 1,000: use "step day".',
    );
    await expect(ask({ range: 'last 12 months', step: 'day' })).resolves.toHaveProperty('by');
  });
});
