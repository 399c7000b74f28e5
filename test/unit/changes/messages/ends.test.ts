import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, createdToken, DECIDED_AT, linesOf, messageOf } from './read.ts';

const REJECTED = { state: 'rejected', decision: { ...APPROVED, verdict: 'reject' } } as const;
const outcome = { at: DECIDED_AT, code: 'not-done', sentence: 'So it ended.' } as const;
const reported = (over: Partial<Change>) => linesOf(messageOf(changeOf(over), 'told'));

const cardOf = (over: Partial<Change>) => linesOf(messageOf(changeOf(over), 'card'));

/** As when Slack omitted where the requester's messages with the bot are. */
function withoutDm(change: Change): Change {
  const { dm: _, ...rest } = change;
  return rest;
}

describe('reminders', () => {
  it('are over when a person has decided', () => {
    expect(messageOf(changeOf({ reminders: 2, state: 'withdrawn' }), 'reminder/2')).toBeUndefined();
  });

  it('are the latest alone, so that missed ones do not come all at once', () => {
    const keys = messagesOf(changeOf({ reminders: 4 })).map(({ key }) => key);
    expect(keys).toEqual(['@changes/k3m9x2ab/card', '@changes/k3m9x2ab/reminder/4']);
  });
});

describe('the message to the requester', () => {
  it.each(['pending', 'approved', 'executing', 'withdrawn'] as const)(
    'is nothing while it is %s',
    (state) => {
      expect(messageOf(changeOf({ state }), 'told')).toBeUndefined();
    },
  );

  it('is a reply to the card that names them, when Slack omits where their messages are', () => {
    const message = messageOf(withoutDm(changeOf(REJECTED)), 'told');
    expect(message).toMatchObject({
      channel: 'C0APPROVALS',
      threadKey: '@changes/k3m9x2ab/card',
      text: expect.stringMatching(
        /^<@U0ADA> Rejected: Set the spend alert to \$500.00\nby <@U0BEN>, .* · nothing changed\nNext: Ask <@U0BEN> why, before you ask again\nChange `k3m9x2ab`$/,
      ) as string,
    });
    expect(linesOf(message).slice(0, 2)).toEqual([
      '<@U0ADA> *Set the spend alert to $500.00*',
      ':heavy_minus_sign: Rejected · by <@U0BEN>, 09:10 · nothing changed',
    ]);
  });

  it('sends no one to themselves for the reason of a rejection', () => {
    const decision = { ...REJECTED.decision, by: changeOf().requester, self: true };

    expect(reported({ ...REJECTED, decision }).join()).not.toContain('why');
    expect(reported(REJECTED).join()).toContain('→ Ask <@U0BEN> why');
  });

  it('cannot say how the same values would show whether they were saved again', () => {
    const facts = [{ name: 'Amount', text: '$500.00' }];
    const plan = { before: facts, after: facts, consequences: [] };
    const end = { ...outcome, code: 'unclear' } as const;

    expect(reported({ state: 'unknown', decision: APPROVED, plan, outcome: end })).toContain(
      '→ Look first whether it was done: `/alert`',
    );
  });

  it.each([
    [0.0000001, '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('writes an amount of %d as people do', (amount, text) => {
    const order = { kind: 'alert.replace', amount, enabled: true } as const;

    expect(reported({ state: 'expired', order })).toContain(`→ Ask again: \`/alert set ${text}\``);
  });

  it.each([
    ['expired', outcome, true],
    ['failed', outcome, true],
    ['drifted', { ...outcome, code: 'changed' }, true],
    ['failed', { ...outcome, code: 'declined', again: true }, true],
    ['failed', { ...outcome, code: 'declined' }, false],
    ['failed', { ...outcome, code: 'gone' }, false],
    ['succeeded', { ...outcome, code: 'done' }, false],
    // The next step is a talk.
    ['rejected', undefined, false],
  ] as const)('has a button where the advice is to ask again: %s, %j', (state, end, has) => {
    const decision = state === 'rejected' ? REJECTED.decision : APPROVED;
    const lines = reported({ state, decision, ...(end && { outcome: end }) });

    expect(lines.includes('[Ask again]')).toBe(has);
    expect(cardOf({ state, decision, ...(end && { outcome: end }) })).not.toContain('[Ask again]');
  });
});

describe('the secret of a change', () => {
  it('is revealed in the thread of the card, when that is where the requester is notified', () => {
    const waiting = messageOf(withoutDm(createdToken({})), 'told');
    const givenUp = messageOf(withoutDm(createdToken({ state: 'lapsed' })), 'lapsed');
    const thread = { channel: 'C0APPROVALS', threadKey: '@changes/k3m9x2ab/card' };

    expect(waiting).toMatchObject(thread);
    expect(JSON.stringify(waiting?.blocks)).toContain('"action_id":"changes.reveal"');
    expect(JSON.stringify(waiting?.blocks)).toContain('"value":"k3m9x2ab"');
    expect(linesOf(messageOf(withoutDm(createdToken({})), 'card')).join()).toContain(
      'in the thread',
    );
    expect(givenUp).toMatchObject(thread);
    expect(linesOf(givenUp)[0]).toContain('<@U0ADA>');
  });

  it.each(['sealed', 'opening', 'revealed'] as const)('is not given up while %s', (state) => {
    expect(messageOf(createdToken({ state }), 'lapsed')).toBeUndefined();
  });
});
