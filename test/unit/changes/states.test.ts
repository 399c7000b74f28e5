import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import { dueOf, move, type ChangeEvent } from '../../../src/changes/states.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { BEA, EVENTS, MINUTE, NOW, SHOWN, STAGES, UNTIL, type Stage } from './stages.ts';

const EXPIRES_AT = REQUESTED_AT + 8 * 60 * MINUTE;

/** The fields that an event changes, without the version. */
function made(change: Change, event: ChangeEvent): Partial<Change> {
  const next = move(change, event) ?? {};
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== change[field as keyof Change] && field !== 'version',
  );
  return Object.fromEntries(changed);
}

/** The possible events at each point; no others. */
const POSSIBLE: { readonly [At in Stage]: readonly ChangeEvent['kind'][] } = {
  pending: ['remind', 'approve', 'reject', 'withdraw'],
  approved: ['withdraw', 'drift', 'claim', 'suspect', 'refuse', 'wait'],
  executing: ['unclaim', 'suspect', 'resend', 'wait', 'succeed', 'fail', 'doubt'],
  refused: [],
  succeeded: [],
  sealed: ['open'],
  opening: ['reveal', 'lapse'],
  revealed: [],
  lapsed: ['wait', 'clean'],
  lost: ['wait', 'clean'],
  'cleaned up': [],
  failed: [],
  unknown: [],
  rejected: [],
  expired: [],
  withdrawn: [],
  drifted: [],
};
const stages = Object.keys(STAGES) as Stage[];

describe('the events that are possible for a change', () => {
  it.each(stages)('that is %s', (stage) => {
    const moving = Object.values(EVENTS).filter((event) => move(STAGES[stage], event));
    const kinds = moving.map(({ kind }) => kind).filter((kind) => kind !== 'disown');
    expect(kinds).toEqual(POSSIBLE[stage]);
  });

  it.each(stages)(
    'that is %s and was not written by Purser: it is refused, without its secret',
    (stage) => {
      const disowned = move(STAGES[stage], EVENTS.disown);
      const outcome = { at: NOW, ...EVENTS.disown.end };
      expect(disowned).toMatchObject({ state: 'refused', outcome });
      expect(disowned).not.toHaveProperty('secret');
      expect(disowned && dueOf(disowned)).toBeUndefined();
    },
  );

  it.each(stages)('gives one version more when it is %s', (stage) => {
    const moved = Object.values(EVENTS).flatMap((event) => move(STAGES[stage], event) ?? []);
    const { version } = STAGES[stage];
    expect(moved.map((next) => next.version)).toEqual(moved.map(() => version + 1));
  });

  it('leaves its argument unchanged', () => {
    const before = structuredClone(STAGES);
    for (const stage of stages)
      for (const event of Object.values(EVENTS)) move(STAGES[stage], event);
    expect(STAGES).toEqual(before);
  });
});

describe('a request', () => {
  const { pending } = STAGES;

  it('is approved as the reviewer was shown it', () => {
    expect(made(pending, EVENTS.approve)).toEqual({
      state: 'approved',
      plan: SHOWN,
      decision: { verdict: 'approve', by: BEA, at: NOW, comment: 'fine', self: false },
    });
  });

  it('is approved by no one where no one has to', () => {
    const event = { kind: 'approve', at: NOW, comment: '', plan: SHOWN, self: false } as const;
    const decision = { verdict: 'approve', at: NOW, comment: '', self: false };
    expect(made(pending, event)).toEqual({ state: 'approved', plan: SHOWN, decision });
  });

  it('is approved by its requester only where that is allowed, and is marked then', () => {
    const by = pending.requester;
    expect(move(pending, { ...EVENTS.approve, by })).toBeUndefined();
    const decision = { verdict: 'approve', by, at: NOW, comment: 'fine', self: true };
    const own = { ...EVENTS.approve, by, self: true };
    expect(made(pending, own)).toEqual({ state: 'approved', plan: SHOWN, decision });
  });

  it('is one’s own with a second Slack account of the same e-mail address, too', () => {
    const by = { ...pending.requester, userId: 'U0SECOND' };
    const nameless = { userId: 'U0THIRD', teamId: 'T0ACME' };
    const { email: _, ...requester } = pending.requester;

    expect(move(pending, { ...EVENTS.approve, by })).toBeUndefined();
    expect(move(pending, { ...EVENTS.approve, by, self: true })?.decision?.self).toBe(true);
    const shouting = { ...pending, requester: { ...pending.requester, email: 'ADA@Acme.example' } };
    expect(move(shouting, { ...EVENTS.approve, by })).toBeUndefined();
    const unknown = move({ ...pending, requester }, { ...EVENTS.approve, by: nameless });
    expect(unknown?.decision?.self).toBe(false);
  });

  it('is marked for nothing when another person approves where self-approval is allowed', () => {
    const next = move(pending, { ...EVENTS.approve, self: true });
    expect(next?.decision?.self).toBe(false);
  });

  it('is rejected as it was requested', () => {
    const decision = { verdict: 'reject', by: BEA, at: NOW, comment: 'too much', self: false };
    expect(made(pending, EVENTS.reject)).toEqual({ state: 'rejected', decision });
    const by = pending.requester;
    const own = { state: 'rejected', decision: { ...decision, by, self: true } };
    expect(made(pending, { ...EVENTS.reject, by })).toEqual(own);
  });

  it('is withdrawn', () => {
    expect(made(pending, EVENTS.withdraw)).toEqual({
      state: 'withdrawn',
      withdrawnAt: NOW,
      withdrawnBy: 'U0ADA',
    });
  });

  it('waits for 8 hours, and not a moment longer', () => {
    const inTime = (kind: ChangeEvent['kind'], at: number): string | undefined =>
      move(pending, { ...EVENTS[kind], at })?.state;
    const each = ['approve', 'reject', 'withdraw', 'remind', 'expire'] as const;
    expect(each.map((kind) => inTime(kind, EXPIRES_AT - 1))).toEqual([
      'approved',
      'rejected',
      'withdrawn',
      'pending',
      undefined,
    ]);
    const none = [undefined, undefined, undefined, undefined];
    expect(each.map((kind) => inTime(kind, EXPIRES_AT))).toEqual([...none, 'expired']);
    expect(made(pending, { kind: 'expire', at: EXPIRES_AT + 1 })).toEqual({ state: 'expired' });
  });
});

describe('an approved change', () => {
  const { approved } = STAGES;
  const waiting = { ...approved, retryAt: NOW + 10_000 };

  it('is claimed by the one who sends it', () => {
    const claimed = { state: 'executing', sentAt: NOW + 5, sendings: 1, marks: { tokens: ['t1'] } };
    expect(made(approved, { ...EVENTS.claim, at: NOW + 5 })).toEqual(claimed);
  });

  it('is refused before anything was sent', () => {
    const outcome = { at: NOW, code: 'late', sentence: 'Bea may not.' };
    expect(made(approved, EVENTS.refuse)).toEqual({ state: 'refused', outcome });
  });

  it('is withdrawn, by an approver, too', () => {
    const withdrawn = { state: 'withdrawn', withdrawnAt: NOW, withdrawnBy: 'U0BEA' };
    expect(made(approved, { ...EVENTS.withdraw, by: 'U0BEA' })).toEqual(withdrawn);
  });

  it('may have been sent in a write that Redis has lost: then it is only reconciled', () => {
    const suspect = { state: 'executing', sentAt: NOW, sendings: 1, suspect: true };
    expect(made(approved, EVENTS.suspect)).toEqual(suspect);
    const change = move(approved, EVENTS.suspect) ?? approved;
    expect([move(change, EVENTS.resend), move(change, EVENTS.unclaim)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('has drifted when something else is there', () => {
    const outcome = { at: NOW, code: 'changed', sentence: 'It is $450.00 now.', now: SHOWN.before };
    expect(made(approved, EVENTS.drift)).toEqual({ state: 'drifted', outcome });
  });

  it('waits when no one answers, until something happens', () => {
    expect(made(approved, EVENTS.wait)).toEqual({ retryAt: NOW + 10_000 });
    const later = { ...EVENTS.wait, until: NOW + 20_000 };
    expect(made(waiting, later)).toEqual({ retryAt: NOW + 20_000 });
    const over = [EVENTS.claim, EVENTS.refuse, EVENTS.drift].map((event) => move(waiting, event));
    expect(over.map((next) => next && 'retryAt' in next)).toEqual([false, false, false]);
  });
});

describe('a change that is carried out', () => {
  const { executing } = STAGES;

  it('waits again where no replica of Redis confirmed the claim', () => {
    const { sentAt: _, ...unsent } = executing;
    expect(move(executing, EVENTS.unclaim)).toEqual({
      ...unsent,
      state: 'approved',
      version: 3,
      sendings: 0,
      retryAt: NOW + 10_000,
      waits: 'replica',
    });
    expect(move({ ...executing, resentAt: NOW, sendings: 2 }, EVENTS.unclaim)).toBeUndefined();
  });

  it('is sent again', () => {
    const again = { ...EVENTS.resend, at: NOW + 1 };
    expect(made(executing, again)).toEqual({ sendings: 2, resentAt: NOW + 1 });
    expect(made({ ...executing, sendings: 2 }, again)).toMatchObject({ sendings: 3 });
  });

  it('succeeds with or without the state that was read back', () => {
    const outcome = { at: NOW, code: 'done', sentence: '', now: SHOWN.after };
    expect(made(executing, EVENTS.succeed)).toEqual({ state: 'succeeded', outcome });
    const blind = { kind: 'succeed', at: NOW, end: { code: 'done', sentence: '' } } as const;
    const unread = { at: NOW, code: 'done', sentence: '' };
    expect(made(executing, blind)).toEqual({ state: 'succeeded', outcome: unread });
  });

  it('succeeds with a secret, or with one that never got here', () => {
    const key = { state: 'lost', what: 'superuser key', until: UNTIL } as const;
    expect(move(executing, { ...EVENTS.succeed, secret: key })?.secret).toEqual({
      ...key,
      at: NOW,
    });
    const token = { state: 'sealed', what: 'token', until: UNTIL, tokenId: 't2' } as const;
    expect(move(executing, { ...EVENTS.succeed, secret: token })).toMatchObject({
      state: 'succeeded',
      secret: { ...token, at: NOW },
    });
  });

  it('fails', () => {
    const outcome = { at: NOW, code: 'not-done', sentence: 'It failed.', now: SHOWN.before };
    expect(made(executing, EVENTS.fail)).toEqual({ state: 'failed', outcome });
  });

  it('is unknown when no one can know', () => {
    const outcome = { at: NOW, code: 'unclear', sentence: 'Look at it.' };
    expect(made(executing, EVENTS.doubt)).toEqual({ state: 'unknown', outcome });
  });

  it('forgets that it waited once it goes on', () => {
    const waiting = { ...executing, retryAt: NOW };
    const { resend, succeed, fail, doubt } = EVENTS;
    const over = [resend, succeed, fail, doubt].map((event) => move(waiting, event));
    expect(over.map((next) => next && 'retryAt' in next)).toEqual([false, false, false, false]);
    expect(made(executing, EVENTS.wait)).toEqual({ retryAt: NOW + 10_000 });
  });
});

describe('a secret', () => {
  const { sealed, opening, lapsed, lost } = STAGES;
  const { secret } = sealed;
  const at = NOW + 30_000;

  it('is opened, then revealed', () => {
    expect(made(sealed, { kind: 'open', at })).toEqual({
      secret: { ...secret, state: 'opening', at },
    });
    const revealed = { secret: { ...secret, state: 'revealed', at } };
    expect(made(opening, { kind: 'reveal', at })).toEqual(revealed);
  });

  it('that no one is known to have seen lapses', () => {
    const gone = { secret: { ...secret, state: 'lapsed', at } };
    expect(made(opening, { kind: 'lapse', at })).toEqual(gone);
  });

  it('can be opened for its time, and lapses after it', () => {
    const possible = (kind: 'open' | 'lapse', when: number): string | undefined =>
      move(sealed, { kind, at: when })?.secret?.state;
    expect([possible('open', UNTIL - 1), possible('open', UNTIL)]).toEqual(['opening', undefined]);
    expect([possible('lapse', UNTIL - 1), possible('lapse', UNTIL)]).toEqual([undefined, 'lapsed']);
  });

  it('that was opened in time may be confirmed later', () => {
    expect(move(opening, { kind: 'reveal', at: UNTIL + 1 })?.secret?.state).toBe('revealed');
  });

  it('that was given up is cleared away, however long that takes', () => {
    const waiting = move(lapsed, EVENTS.wait);
    expect(waiting).toEqual({ ...lapsed, version: 3, retryAt: NOW + 10_000 });
    const cleaned = EVENTS.clean.end;
    const done = { ...lapsed, version: 4, secret: { ...lapsed.secret, cleaned } };
    expect(waiting && move(waiting, EVENTS.clean)).toEqual(done);
    expect(made(lost, EVENTS.clean)).toEqual({ secret: { ...lost.secret, cleaned } });
  });
});
