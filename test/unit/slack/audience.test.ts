import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createAudiences,
  figuresRefusal,
  guestWords,
  isConfirmed,
  requireOwnReaders,
  type Audience,
  type Guests,
} from '../../../src/slack/audience.ts';
import { COMPANY } from '../../support/audience.ts';

describe('whether billing figures may be posted', () => {
  it.each<[string, Partial<Audience>, string | undefined]>([
    ['a channel of the company', {}, undefined],
    ['a private one', { isPrivate: true }, undefined],
    ['one that another company reads', { isShared: true }, 'shared'],
    ['one that Purser is not in', { isMember: false }, undefined],
    ['messages of one person with Purser', { kind: 'direct', ofUser: 'U0ADA' }, undefined],
    ['a conversation of other people', { kind: 'direct' }, 'others'],
  ])('depends on the readers: %s', (_, changes, refusal) => {
    expect(figuresRefusal({ audience: { ...COMPANY, ...changes } })).toBe(refusal);
  });

  it('is refused where Slack does not show the readers', () => {
    expect(figuresRefusal({ unread: 'fatal_error' })).toBe('unread');
  });

  it.each([
    ['fatal_error', 'try again in a minute'],
    ['channel_not_found', 'invite Purser there with /invite'],
    ['missing_scope', 'invite Purser there with /invite'],
  ])('is refused with the next step: %s', (unread, todo) => {
    expect(() => requireOwnReaders({ unread })).toThrow(todo);
  });
});

it.each([
  [0, undefined],
  [1, '1 guest reads it, too'],
  [2, '2 guests read it, too'],
  ['1+', 'At least 1 guest reads it, too'],
  ['3+', 'At least 3 guests read it, too'],
  ['unknown', 'Guests may read it, too'],
] as const)('%s guests are named', (guests, words) => {
  expect(guestWords(guests)).toBe(words);
});

describe('the readers of a channel', () => {
  /** Slack with these answers, and a clock that the test moves. */
  function start(info: object, people: readonly string[] = []) {
    const clock = { now: 0 };
    const asked: string[] = [];
    const audiences = createAudiences(
      {
        conversations: {
          info: async () => {
            asked.push('info');
            return { channel: info };
          },
          open: async () => ({ channel: { id: 'D0ADA' } }),
          members: async ({ cursor = '0', limit }: { cursor?: string; limit: number }) => {
            const end = Number(cursor) + limit;
            const next_cursor = end < people.length ? String(end) : '';
            const members = people.slice(Number(cursor), end);
            return { members, response_metadata: { next_cursor } };
          },
        },
      } as never,
      {
        member: async (userId: string) => {
          if (userId === 'UAWAY') throw new Error('no answer');
          if (userId === 'UHANGS') return new Promise<never>(() => {});
          return { guest: userId.startsWith('UG'), stranger: false, deleted: false } as never;
        },
      },
      { elapsed: () => clock.now },
    );
    return { audiences, asked, clock };
  }

  it.each([
    [{ is_ext_shared: true }, true],
    [{ is_pending_ext_shared: true }, true],
    [{ is_org_shared: true, is_shared: true }, false],
    [{}, false],
  ])('of %j', async (info, isShared) => {
    const { audience } = await start(info).audiences.audienceOf('C0BILLING');
    expect(audience?.isShared).toBe(isShared);
  });

  it('are remembered for less than a minute, and asked for afresh where that is wanted', async () => {
    const { audiences, asked, clock } = start({});
    await audiences.audienceOf('C0BILLING');
    await audiences.audienceOf('C0BILLING');
    expect(asked).toHaveLength(1);
    await audiences.audienceOf('C0BILLING', { fresh: true });
    expect(asked).toHaveLength(2);
    clock.now = 60_000;
    await audiences.audienceOf('C0BILLING');
    expect(asked).toHaveLength(3);
  });

  it('of a direct channel are known by comparing it with that of the person', async () => {
    const { audiences } = start({});
    const own = await audiences.audienceOf('D0ADA', { of: 'U0ADA' });
    const other = await audiences.audienceOf('D0OTHERS', { of: 'U0ADA' });
    expect([own.audience?.ofUser, other.audience?.ofUser]).toEqual(['U0ADA', undefined]);
  });

  const crowd = (count: number): string[] => Array.from({ length: count }, (_, at) => `U${at}`);

  it.each<[string, string[], Guests]>([
    ['a few members', ['U0ADA', 'UG1', 'UG2'], 2],
    ['several pages', [...crowd(999), 'UG1'], 1],
    ['more than are read', ['UG1', 'UG2', ...crowd(1_000), 'UG3'], '2+'],
    ['more than are read, and no guest so far', crowd(1_001), 'unknown'],
    ['some that Slack does not show', ['UG1', ...crowd(20), 'UAWAY'], '1+'],
  ])('have guests that are counted: %s', async (_, members, guests) => {
    expect(await start({}, members).audiences.guestsIn('C0BILLING')).toBe(guests);
  });

  it('have at least the guests that were counted in 3 seconds', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const counting = start({}, ['UG1', 'UHANGS', 'UG2']).audiences.guestsIn('C0BILLING');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await counting).toBe('2+');
  });
});

it.each<[Guests, string | undefined, boolean]>([
  [2, '2', true],
  [2, '3', false],
  [2, undefined, false],
  ['2+', '1+', true],
  ['2+', 'unknown', true],
  ['2+', '2', false],
  [2, '2+', false],
])('%s guests are confirmed by %s: %s', (guests, confirmed, isIt) => {
  expect(isConfirmed(guests, confirmed)).toBe(isIt);
});
