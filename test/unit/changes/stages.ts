import type { Change, Sealed } from '../../../src/changes/change.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';

export const MINUTE = 60_000;
export const BEA = { userId: 'U0BEA', teamId: 'T0ACME', email: 'bea@acme.example' };
/** When things happen that have no time of their own here: in time, and after the first reminder was due. */
export const NOW = REQUESTED_AT + 20 * MINUTE;
/** Until when a secret can be revealed here. */
export const UNTIL = NOW + 15 * MINUTE;

const approved = changeOf({
  version: 2,
  state: 'approved',
  decision: { verdict: 'approve', by: BEA, at: NOW, comment: 'fine', self: false },
});
const executing: Change = {
  ...approved,
  state: 'executing',
  sentAt: NOW,
  sendings: 1,
  marks: { tokens: ['t1'] },
};
const succeeded: Change = {
  ...executing,
  state: 'succeeded',
  outcome: { at: NOW, code: 'done', sentence: '' },
};
const withSecret = (state: Sealed['state'], more: Partial<Sealed> = {}): Change => ({
  ...succeeded,
  secret: { state, what: 'token', at: NOW, until: UNTIL, tokenId: 't2', ...more },
});

/** A change at every point of its life. */
export const STAGES = {
  pending: changeOf(),
  approved,
  executing,
  refused: {
    ...approved,
    state: 'refused',
    outcome: { at: NOW, code: 'late', sentence: 'Bea may not.' },
  },
  succeeded,
  sealed: withSecret('sealed'),
  opening: withSecret('opening'),
  revealed: withSecret('revealed'),
  lapsed: withSecret('lapsed'),
  lost: withSecret('lost'),
  'cleaned up': withSecret('lapsed', {
    cleaned: { code: 'cleaned', sentence: 'The token is deleted.' },
  }),
  failed: {
    ...executing,
    state: 'failed',
    outcome: { at: NOW, code: 'not-done', sentence: 'No.' },
  },
  unknown: {
    ...executing,
    state: 'unknown',
    outcome: { at: NOW, code: 'unclear', sentence: 'Look.' },
  },
  rejected: changeOf({
    state: 'rejected',
    decision: { verdict: 'reject', by: BEA, at: NOW, comment: '', self: false },
  }),
  expired: changeOf({ state: 'expired' }),
  withdrawn: changeOf({ state: 'withdrawn', withdrawnAt: NOW }),
  drifted: {
    ...approved,
    state: 'drifted',
    outcome: { at: NOW, code: 'changed', sentence: 'Drifted.', now: [] },
  },
} as const satisfies Record<string, Change>;

export type Stage = keyof typeof STAGES;

/** The plan that a reviewer was shown: it differs from the requested one. */
export const SHOWN = {
  before: [{ name: 'Amount', text: '$450.00' }],
  after: [{ name: 'Amount', text: '$500.00' }],
  consequences: [],
};

/** One event of every kind, in time. */
export const EVENTS: { readonly [Kind in ChangeEvent['kind']]: ChangeEvent & { kind: Kind } } = {
  remind: { kind: 'remind', at: NOW },
  approve: { kind: 'approve', at: NOW, by: BEA, comment: 'fine', plan: SHOWN, self: false },
  reject: { kind: 'reject', at: NOW, by: BEA, comment: 'too much' },
  withdraw: { kind: 'withdraw', at: NOW, by: 'U0ADA' },
  expire: { kind: 'expire', at: NOW },
  drift: {
    kind: 'drift',
    at: NOW,
    end: { code: 'changed', sentence: 'It is $450.00 now.' },
    now: SHOWN.before,
  },
  claim: { kind: 'claim', at: NOW, baseline: { tokens: ['t1'] } },
  unclaim: { kind: 'unclaim', at: NOW, until: NOW + 10_000 },
  suspect: { kind: 'suspect', at: NOW },
  disown: {
    kind: 'disown',
    at: NOW,
    end: { code: 'unverified', sentence: 'It cannot be verified.' },
  },
  refuse: { kind: 'refuse', at: NOW, end: { code: 'late', sentence: 'Bea may not.' } },
  resend: { kind: 'resend', at: NOW },
  wait: { kind: 'wait', at: NOW, until: NOW + 10_000 },
  succeed: { kind: 'succeed', at: NOW, end: { code: 'done', sentence: '' }, now: SHOWN.after },
  fail: {
    kind: 'fail',
    at: NOW,
    end: { code: 'not-done', sentence: 'It failed.' },
    now: SHOWN.before,
  },
  doubt: { kind: 'doubt', at: NOW, end: { code: 'unclear', sentence: 'Look at it.' } },
  open: { kind: 'open', at: NOW },
  reveal: { kind: 'reveal', at: NOW },
  lapse: { kind: 'lapse', at: NOW },
  clean: { kind: 'clean', at: NOW, end: { code: 'cleaned', sentence: 'The token is deleted.' } },
};
