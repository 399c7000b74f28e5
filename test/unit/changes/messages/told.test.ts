import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, createdToken, DECIDED_AT, linesOf, messageOf } from './read.ts';

const REJECTED = { state: 'rejected', decision: { ...APPROVED, verdict: 'reject' } } as const;
const FACTS = [{ name: 'Amount', text: '$500.00' }];
const outcome = { at: DECIDED_AT, sentence: 'So it ended.' };
const told = (over: Partial<Change>) => linesOf(messageOf(changeOf(over), 'told'));

/** As when Slack did not say where the requester's messages with the bot are. */
function withoutDm(change: Change): Change {
  const { dm: _, ...rest } = change;
  return rest;
}

describe('reminders', () => {
  it('are replies to the card that name who may approve, and until when', () => {
    const message = messageOf(changeOf({ reminders: 3, group: 'S0ADMINS' }), 'reminder/3');

    expect(message).toMatchObject({
      channel: 'C0APPROVALS',
      threadKey: '@changes/k3m9x2ab/card',
      text: 'Waiting for a review for more than 1 h, expires <!date^1795194000^{date_short_pretty} {time}|2026-11-20 17:00 UTC>: Set the spend alert to $500.00',
    });
    expect(linesOf(message)).toEqual([
      '*Set the spend alert to $500.00* · asked by <@U0ADA>',
      ':hourglass_flowing_sand: Pending for more than 1 h · expires 17:00',
      '→ <!subteam^S0ADMINS> (`billing_admin`): please review it above',
    ]);
  });

  it('are the latest alone, so that missed ones do not come all at once', () => {
    const keys = messagesOf(changeOf({ reminders: 4 })).map(({ key }) => key);

    expect(keys).toEqual(['@changes/k3m9x2ab/card', '@changes/k3m9x2ab/reminder/4']);
  });

  it('are over when somebody has decided', () => {
    expect(messageOf(changeOf({ reminders: 2, state: 'withdrawn' }), 'reminder/2')).toBeUndefined();
  });

  it('never page a whole channel', () => {
    const all = JSON.stringify(messagesOf(changeOf({ reminders: 2 })));

    expect(all).not.toMatch(/<!(channel|here|everyone)/);
  });
});

describe('what the requester is told', () => {
  it.each(['pending', 'approved', 'executing', 'withdrawn'] as const)(
    'is nothing while it is %s',
    (state) => {
      expect(messageOf(changeOf({ state }), 'told')).toBeUndefined();
    },
  );

  it('goes to their messages with the bot', () => {
    const message = messageOf(changeOf(REJECTED), 'told');

    expect(message).toMatchObject({
      channel: 'D0ADA',
      text: 'Your change k3m9x2ab was rejected: Set the spend alert to $500.00',
    });
    expect(message?.threadKey).toBeUndefined();
  });

  it.each([
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['expired', 'expired'],
    ['drifted', 'drifted'],
    ['unknown', 'ended in an unknown state'],
  ] as const)('begins with how it ended: %s', (state, words) => {
    expect(messageOf(changeOf({ state }), 'told')?.text).toBe(
      `Your change k3m9x2ab ${words}: Set the spend alert to $500.00`,
    );
  });

  it('is a reply to the card that names them, when Slack does not say where their messages are', () => {
    const message = messageOf(withoutDm(changeOf(REJECTED)), 'told');

    expect(message).toMatchObject({
      channel: 'C0APPROVALS',
      threadKey: '@changes/k3m9x2ab/card',
      text: '<@U0ADA> Your change k3m9x2ab was rejected: Set the spend alert to $500.00',
    });
    expect(linesOf(message).slice(0, 2)).toEqual([
      '<@U0ADA> *Set the spend alert to $500.00*',
      ':heavy_minus_sign: Rejected · by <@U0BEN>, 09:10 · nothing changed',
    ]);
  });

  it('is no word more than needed when all went well', () => {
    const now = [{ name: 'Amount', text: '$500.00' }];
    const done = (sentence: string) =>
      told({
        state: 'succeeded',
        decision: APPROVED,
        outcome: { at: DECIDED_AT, sentence, now },
      });

    expect(done('Done.')).toEqual([
      '*Set the spend alert to $500.00*',
      ':white_check_mark: Succeeded · approved by <@U0BEN>, 09:10 · Verified: matches the request',
      'All of it: `/changes show k3m9x2ab`',
    ]);
    expect(done('Done. The platform approved the request.')[2]).toBe(
      'The platform approved the request.',
    );
  });

  it('is by whom it was rejected, and why', () => {
    const decision = { ...REJECTED.decision, comment: 'Too much.' };

    expect(told({ ...REJECTED, decision })).toEqual([
      '*Set the spend alert to $500.00*',
      ':heavy_minus_sign: Rejected · by <@U0BEN>, 09:10 · nothing changed',
      '> Too much.',
      'All of it: `/changes show k3m9x2ab`',
    ]);
  });

  it('sends the requester to whoever rejected it without a word', () => {
    expect(told(REJECTED)).toContain('→ Ask <@U0BEN> why, before you ask again');
  });

  it.each(['expired', 'failed'] as const)('has the command that asks for it again: %s', (state) => {
    expect(told({ state, outcome })).toContain('→ Ask again: `/alert set 500`');
  });

  it('leaves the next step to the sentence that names a command', () => {
    const sentence = 'There is a spend alert already: replace it with /alert set AMOUNT.';
    const lines = told({ state: 'failed', outcome: { at: DECIDED_AT, sentence } });

    expect(lines.slice(2)).toEqual([sentence, 'All of it: `/changes show k3m9x2ab`']);
  });

  it.each([
    'The platform refuses Purser’s key, so whoever runs Purser has to check BILLING_TOKEN.',
    'The platform does not accept this spend alert: ask again with another amount.',
    'The platform denied the request: ask for less.',
    'The platform does not change cleo@acme.example: have another billing_admin do it.',
  ])('offers no command that would not help: %s', (sentence) => {
    const lines = told({ state: 'failed', outcome: { at: DECIDED_AT, sentence } });

    expect(lines.slice(2)).toEqual([sentence, 'All of it: `/changes show k3m9x2ab`']);
  });

  it('sends a requester who may not ask any more to somebody who may', () => {
    const sentence =
      'Nothing was sent. The requester, ada@acme.example, may not ask for it any more.';
    const change = changeOf({ state: 'failed', outcome: { at: DECIDED_AT, sentence } });

    expect(linesOf(messageOf(change, 'told')).slice(1, 4)).toEqual([
      ':large_orange_circle: Failed · nothing sent',
      'You may not ask for it any more.',
      '→ Let somebody with the role ask for it: `/purser whoami` shows what you may',
    ]);
    expect(linesOf(messageOf(change, 'card')).slice(2, 4)).toEqual([
      'The requester, ada@acme.example, may not ask for it any more.',
      '→ Somebody with the role has to ask for it: `/alert set 500`',
    ]);
  });

  it('is to look before asking again, when nobody knows what was done', () => {
    const lines = told({ state: 'unknown', decision: APPROVED, outcome });

    expect(lines).toContain('So it ended.');
    expect(lines).toContain(
      '→ Check `/alert`. Amount $500.00 means done; $400.00 means not done, ask again: `/alert set 500`',
    );
  });

  it.each([
    [
      { kind: 'alert.create', amount: 500, enabled: true },
      [],
      FACTS,
      'If it is there, it was done;',
    ],
    [{ kind: 'alert.delete' }, FACTS, [], 'If it is gone, it was done;'],
    [
      { kind: 'token.create', name: 'ci', description: '', roles: ['billing_viewer'] },
      [],
      FACTS,
      'If ci is there, it was done, and its secret is lost: delete it;',
    ],
    [
      {
        kind: 'org.create',
        name: 'acme-lab',
        description: '',
        invitees: ['ada@acme.example'],
        superuser: true,
      },
      [],
      FACTS,
      'If acme-lab is there, it was done, and its superuser key is lost: delete that in the org',
    ],
  ] as const)(
    'says by what it can be told whether it was done: %j',
    (order, before, after, words) => {
      const plan = { before: [...before], after: [...after], consequences: [] };
      const lines = told({ state: 'unknown', order: order as Change['order'], plan, outcome });

      expect(lines.join('\n')).toContain(words);
    },
  );

  it('promises nothing of what is there where the platform decides later', () => {
    const order = {
      kind: 'quota.request',
      org: 'acme',
      quotaName: 'cpu',
      requestedMax: 9,
    } as const;

    expect(told({ state: 'unknown', order, outcome })).toContain(
      '→ Look first whether it was done: `/billing quotas`',
    );
  });

  it('says once that a minute may help', () => {
    const sentence = 'The platform failed at that, please try again in a minute. It says: oops.';
    const lines = told({ state: 'failed', outcome: { at: DECIDED_AT, sentence } });

    expect(lines.slice(2, 4)).toEqual([
      'The platform failed at that. It says: oops.',
      '→ Ask again in a minute: `/alert set 500`',
    ]);
  });

  it('asks for the alert to be switched off in the same words', () => {
    const order = { kind: 'alert.replace', amount: 500, enabled: false } as const;

    expect(told({ state: 'failed', order, outcome })).toContain('→ Ask again: `/alert off`');
  });
});

describe('the secret of a change', () => {
  it('waits behind Reveal, which goes away once it was shown', () => {
    const waiting = linesOf(messageOf(createdToken({}), 'told'));
    const shown = linesOf(messageOf(createdToken({ state: 'revealed' }), 'told'));

    expect(waiting).toEqual(
      expect.arrayContaining([
        '→ Reveal the token before 09:25, once you can store it: it is shown *once*, to you alone.',
        '[Reveal]',
      ]),
    );
    expect(shown).toContain('The token was shown to you, once, 09:10. It cannot be shown again.');
    expect(shown).not.toContain('[Reveal]');
  });

  it('is never on the card of everybody as a button', () => {
    expect(linesOf(messageOf(createdToken({}), 'card'))).not.toContain('[Reveal]');
  });

  it('is revealed in the thread of the card, when that is where the requester is told', () => {
    const waiting = messageOf(withoutDm(createdToken({})), 'told');
    const givenUp = messageOf(withoutDm(createdToken({ state: 'lapsed' })), 'lapsed');

    expect(waiting).toMatchObject({ channel: 'C0APPROVALS', threadKey: '@changes/k3m9x2ab/card' });
    expect(linesOf(waiting)).toContain('[Reveal]');
    expect(linesOf(messageOf(withoutDm(createdToken({})), 'card'))).toContain(
      'The token waits for <@U0ADA>, who alone can reveal it until 09:25: in the thread of the card, or with `/changes show k3m9x2ab`.',
    );
    expect(JSON.stringify(waiting?.blocks)).toContain(
      '"action_id":"changes.reveal","text":{"type":"plain_text","text":"Reveal","emoji":false},"value":"k3m9x2ab"',
    );
    expect(givenUp).toMatchObject({ channel: 'C0APPROVALS', threadKey: waiting?.threadKey });
    expect(linesOf(givenUp).slice(0, 2)).toEqual([
      '<@U0ADA> *Create the token ci*',
      ':large_orange_circle: Token perhaps not seen · Purser cannot tell whether it was · approved by <@U0BEN>, 09:10',
    ]);
  });

  it('is given up with a message of its own, which says what to do', () => {
    const change = createdToken({ state: 'lapsed', cleaned: 'The token was deleted.' });

    expect(messageOf(change, 'lapsed')?.channel).toBe('D0ADA');
    expect(linesOf(messageOf(change, 'lapsed'))).toEqual([
      '*Create the token ci*',
      ':large_orange_circle: Token perhaps not seen · Purser cannot tell whether it was · approved by <@U0BEN>, 09:10',
      'The token was deleted.',
      '→ If you still need one, ask again: `/billing tokens create`',
      'All of it: `/changes show k3m9x2ab`',
    ]);
    expect(linesOf(messageOf(change, 'told'))).not.toContain('[Reveal]');
  });

  it('is told of in one message where it never waited', () => {
    const change = createdToken({ state: 'lost', cleaned: 'The token was deleted.' });

    expect(messageOf(change, 'lapsed')).toBeUndefined();
    expect(linesOf(messageOf(change, 'told')).slice(1, 4)).toEqual([
      ':large_orange_circle: Token not shown · the platform’s answer with it was lost · approved by <@U0BEN>, 09:10',
      'The token was deleted.',
      '→ If you still need one, ask again: `/billing tokens create`',
    ]);
  });

  it.each(['sealed', 'opening', 'revealed'] as const)('is not given up while %s', (state) => {
    expect(messageOf(createdToken({ state }), 'lapsed')).toBeUndefined();
  });

  it('is not asked for again by creating an org twice', () => {
    const change = createdToken({ state: 'lapsed', what: 'superuser key' });

    expect(linesOf(messageOf(change, 'lapsed')).slice(1)).toEqual([
      ':large_orange_circle: Superuser key perhaps not seen · Purser cannot tell whether it was · approved by <@U0BEN>, 09:10',
      'The key works, and Purser cannot tell who has it.',
      '→ Delete it in the org itself, under its service accounts: Purser cannot. If a key is needed, create another there',
      'All of it: `/changes show k3m9x2ab`',
    ]);
  });
});
