import { describe, expect, it } from 'vitest';
import { lineOf } from '../../../src/changes/audit.ts';
import { move, type ChangeEvent } from '../../../src/changes/states.ts';
import { changeOf } from '../../support/changes.ts';
import { BEA, EVENTS, NOW, SHOWN, STAGES, UNTIL, type Stage } from './stages.ts';

/** The audit line without the change, the event, its time and the state after it. */
function detailsOf(stage: Stage, event: ChangeEvent): object | undefined {
  const next = move(STAGES[stage], event);
  const line = next && lineOf(next, event);
  if (line === undefined) return undefined;
  const { at: _, change: __, event: ___, state: ____, ...details } = line;
  return details;
}

describe('the audit line', () => {
  const { userId } = changeOf().requester;

  it('names the approver and the plan that was shown', () => {
    const decided = { by: BEA.userId, email: BEA.email, self: false };
    const approved = { ...decided, comment: 'fine', ...SHOWN };
    expect(detailsOf('pending', EVENTS.approve)).toEqual(approved);
    const { plan } = changeOf();
    const rejected = { ...decided, comment: 'too much', ...plan };
    expect(detailsOf('pending', EVENTS.reject)).toEqual(rejected);
  });

  it('shows that a person approved their own request, or that no one had to approve', () => {
    const { requester } = changeOf();
    const own = { ...EVENTS.approve, by: requester, self: true };
    expect(detailsOf('pending', own)).toMatchObject({ by: userId, self: true });
    const { by: _, ...unasked } = EVENTS.approve;
    expect(detailsOf('pending', unasked)).toEqual({ comment: 'fine', self: false, ...SHOWN });
  });

  it('names the calls that were sent, and how they ended', () => {
    expect(detailsOf('approved', EVENTS.claim)).toEqual({ sending: 1 });
    expect(detailsOf('executing', EVENTS.resend)).toEqual({ sending: 2 });
    expect(detailsOf('approved', EVENTS.refuse)).toEqual({
      result: 'late',
      sentence: 'Bea may not.',
    });
    const failed = { result: 'not-done', sentence: 'It failed.', now: SHOWN.before };
    expect(detailsOf('executing', EVENTS.fail)).toEqual(failed);
    const drifted = { result: 'changed', sentence: 'It is $450.00 now.', now: SHOWN.before };
    expect(detailsOf('approved', EVENTS.drift)).toEqual(drifted);
    expect(detailsOf('executing', EVENTS.doubt)).toEqual({
      result: 'unclear',
      sentence: 'Look at it.',
    });
    const done = { kind: 'succeed', at: NOW, end: { code: 'done', sentence: '' } } as const;
    expect(detailsOf('executing', done)).toEqual({ result: 'done' });
    expect(detailsOf('executing', EVENTS.succeed)).toMatchObject({ now: SHOWN.after });
  });

  it('names the state of a secret', () => {
    const secret = { state: 'sealed', what: 'token', until: UNTIL, tokenId: 't2' } as const;
    const said = { what: 'token', state: 'sealed', tokenId: 't2' };
    expect(detailsOf('executing', { ...EVENTS.succeed, secret })).toMatchObject({ secret: said });
    expect(detailsOf('sealed', EVENTS.open)).toEqual({ by: userId });
    expect(detailsOf('opening', EVENTS.reveal)).toEqual({ by: userId });
    expect(detailsOf('opening', EVENTS.lapse)).toEqual({});
    expect(detailsOf('lapsed', EVENTS.clean)).toEqual({
      result: 'cleaned',
      sentence: 'The token is deleted.',
    });
  });

  it('is absent for reminders and for repeated reads', () => {
    expect(detailsOf('pending', EVENTS.remind)).toBeUndefined();
    expect(detailsOf('executing', EVENTS.wait)).toBeUndefined();
  });
});

it('omits the value of a secret', () => {
  const canary = 'svc-bsat-canary-that-stays-hidden';
  const secret = { state: 'sealed', what: 'token', until: UNTIL, value: canary } as const;
  const event = { kind: 'succeed', at: NOW, end: { code: 'done', sentence: '' }, secret } as const;
  const next = move(STAGES.executing, event) ?? STAGES.executing;
  expect(next.state).toBe('succeeded');
  expect(JSON.stringify(lineOf(next, event))).not.toContain('canary');
});
