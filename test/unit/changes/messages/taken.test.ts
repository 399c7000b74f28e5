import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, DECIDED_AT, linesOf, messageOf } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

describe('the card of what the platform took', () => {
  const NOW = [{ name: 'Amount', text: '$500.00' }];
  const done = (outcome: Partial<NonNullable<Change['outcome']>>, over: Partial<Change> = {}) =>
    cardLines({
      state: 'succeeded',
      decision: APPROVED,
      outcome: { at: DECIDED_AT, code: 'done', sentence: '', ...outcome },
      ...over,
    });

  it('says in a word that what is there is what was wanted, and no more of what follows', () => {
    const plan = { before: NOW, after: [], consequences: [] };

    expect(done({ now: NOW })[1]).toContain(' · Verified: matches the request');
    expect(done({ now: NOW })).not.toContain('*What happens*');
    expect(done({ now: NOW, sentence: 'It was off before.' })[2]).toBe('It was off before.');
    expect(done({ now: [] }, { plan })[1]).toMatch(/ · Verified: it is gone$/);
    expect(done({ now: NOW, code: 'otherwise' }, { plan })[1]).toContain('· it is still there ·');
  });

  it.each([
    ['unread', ':white_circle: Accepted · not verified: what is there now could not be read'],
    ['otherwise', ':large_orange_circle: Accepted, but not in effect · it is not there'],
    ['partly', ':large_orange_circle: Done in part'],
    ['nothing', ':heavy_minus_sign: Done · nothing had to be done'],
    ['granted', ':white_check_mark: Done · granted by the platform'],
    ['later', ':hourglass_flowing_sand: Sent · the platform decides later'],
    ['unsaid', ':white_circle: Sent · the platform’s decision is not known'],
  ] as const)('is green only where it is done: %s', (code, words) => {
    expect(done({ code })[1]).toBe(`${words} · approved by <@U0BEN>, 09:10`);
  });

  it.each([
    ['still as it was', { now: [{ name: 'Amount', text: '$400.00' }] }, 'Amount is still $400.00'],
    ['a third thing', { now: [{ name: 'Amount', text: '$499.00' }] }, 'Amount is $499.00'],
  ])('says what is in effect instead: %s', (_, outcome, words) => {
    expect(done({ ...outcome, code: 'otherwise' })[1]).toContain(`not in effect · ${words} ·`);
  });

  it('says of a token whose secret is lost that it is to be deleted, and where', () => {
    expect(done({ code: 'left', sentence: 'It is there.' }, { state: 'unknown' })).toContain(
      '→ Delete it: `/billing tokens delete`',
    );
  });

  it.each([
    [{ now: NOW }, ''],
    [{ code: 'otherwise' }, ' · not in effect'],
    [{ code: 'later' }, ' · the platform decides later'],
  ] as const)('says it in a notification, too: %j', (outcome, words) => {
    const ended: Change['outcome'] = {
      at: DECIDED_AT,
      code: 'done',
      sentence: '',
      ...outcome,
      now: [...NOW],
    };
    expect(card(changeOf({ state: 'succeeded', outcome: ended }))?.text).toBe(
      `Done: Set the spend alert to $500.00${words}`,
    );
  });

  it('shows what is there instead, and where to look', () => {
    const now = [{ name: 'Amount', text: '$499.00' }];

    const lines = done({ now, code: 'otherwise' });

    expect(lines[2]).toBe('→ Look again in a minute: `/alert`');
    expect(lines.slice(lines.indexOf('*What is there now*') + 1)[0]).toBe('• Amount: *$499.00*');
  });

  it('lists nothing as new that was there before', () => {
    const lines = done({ now: NOW, code: 'nothing', sentence: 'The org was there.' });
    expect(lines.slice(2)).toEqual(['The org was there.', '`k3m9x2ab`', '[Details]']);
  });
});
