import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import { inUse, lostRight, NOT_KNOWN } from '../../../../src/changes/ends.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, createdToken, DECIDED_AT, linesOf, messageOf } from './read.ts';

const REJECTED = { state: 'rejected', decision: { ...APPROVED, verdict: 'reject' } } as const;
const FACTS = [{ name: 'Amount', text: '$500.00' }];
const outcome = { at: DECIDED_AT, code: 'not-done', sentence: 'So it ended.' } as const;
const DELETED = { code: 'cleaned', sentence: 'The token was deleted.' } as const;
const reported = (over: Partial<Change>) => linesOf(messageOf(changeOf(over), 'told'));

const cardOf = (over: Partial<Change>) => linesOf(messageOf(changeOf(over), 'card'));

/** As when Slack omitted where the requester's messages with the bot are. */
function withoutDm(change: Change): Change {
  const { dm: _, ...rest } = change;
  return rest;
}

describe('reminders', () => {
  it('are the latest alone, so that missed ones do not come all at once', () => {
    const keys = messagesOf(changeOf({ reminders: 4 })).map(({ key }) => key);
    expect(keys).toEqual(['@changes/k3m9x2ab/card', '@changes/k3m9x2ab/reminder/4']);
  });

  it('are over when a person has decided', () => {
    expect(messageOf(changeOf({ reminders: 2, state: 'withdrawn' }), 'reminder/2')).toBeUndefined();
  });

  it('never page a whole channel', () => {
    const all = JSON.stringify(messagesOf(changeOf({ reminders: 2 })));
    expect(all).not.toMatch(/<!(channel|here|everyone)/);
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

  it('has the comment of a rejection, or the person to ask for one', () => {
    const decision = { ...REJECTED.decision, comment: 'Too much.' };
    expect(reported({ ...REJECTED, decision })[2]).toBe('> Too much.');
    expect(reported(REJECTED)).toContain('→ Ask <@U0BEN> why, before you ask again');
  });

  it.each([
    ['expired', undefined, '`/alert set 500`'],
    ['failed', undefined, '`/alert set 500`'],
    ['failed', { kind: 'alert.replace', amount: 500, enabled: false }, '`/alert off`'],
  ] as const)('has the command that asks again: %s %j', (state, order, command) => {
    expect(reported({ state, outcome, ...(order && { order }) })).toContain(
      `→ Ask again: ${command}`,
    );
  });

  it.each([
    ['expired', outcome, true],
    ['failed', outcome, true],
    ['drifted', { ...outcome, code: 'changed' }, true],
    ['failed', { ...outcome, code: 'declined', sentence: 'Put that right, and ask again.' }, true],
    ['failed', { ...outcome, code: 'declined', sentence: 'Have another person do it.' }, false],
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

  it('has the command with the button that asks for one’s own roles', () => {
    const order = { kind: 'user.roles', email: 'a@x.example', own: true } as const;

    expect(
      reported({ state: 'expired', outcome, order: { ...order, roles: ['org_creator'] } }),
    ).toContain('→ Ask again: `/purser whoami`');
  });

  it('looks one’s own roles up where everybody may', () => {
    const own = { kind: 'user.add', email: 'a@x.example', own: true } as const;
    const order = { ...own, roles: ['org_creator' as const] };
    expect(reported({ state: 'unknown', outcome, order }).join('\n')).toContain('`/purser whoami`');
  });

  it('refers a requester who has lost the right to one who has it', () => {
    const ended = lostRight('requester', { email: 'ada@acme.example' });
    const change = changeOf({ state: 'refused', outcome: { at: DECIDED_AT, ...ended } });

    expect(linesOf(messageOf(change, 'told'))[2]).toMatch(/^You can no longer ask for it: /);
    expect(linesOf(messageOf(change, 'card'))[2]).toMatch(
      /^The requester, ada@acme.example, can no longer/,
    );

    expect(linesOf(messageOf(change, 'told'))[3]).toContain(
      'Ask a member with the role to request it',
    );
    expect(linesOf(messageOf(change, 'card'))[3]).toContain(
      'A member with the role has to request it',
    );
  });

  it.each([
    [
      { kind: 'alert.replace', amount: 500, enabled: true },
      [{ name: 'Amount', text: '$400.00' }],
      FACTS,
      'Amount $500.00 means done; $400.00 means not done, ask again',
    ],
    [
      { kind: 'alert.create', amount: 500, enabled: true },
      [],
      FACTS,
      'If it is there, it was done;',
    ],
    [{ kind: 'alert.delete' }, FACTS, [], 'If it is gone, it was done;'],
    [
      { kind: 'quota.request', org: 'acme', quotaName: 'cpu', requestedMax: 9 },
      [],
      [],
      '→ Look first whether it was done: `/billing quotas org acme`',
    ],
    [
      { kind: 'token.create', name: 'ci', description: '', roles: ['billing_viewer'] },
      [],
      FACTS,
      'If a token ci created after 09:00 is there, it was done, and its secret is lost: delete it;',
    ],
    [
      { kind: 'token.delete', name: 'ci', tokenId: 't-1' },
      FACTS,
      [],
      'If ci (Id `t-1`) is gone, it was done;',
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
      'If an org acme-lab created after 09:00 is there, it was done, and its superuser key is lost: delete that in the org',
    ],
  ] as const)(
    'names the place that shows whether it was done: %j',
    (order, before, after, words) => {
      const plan = { before: [...before], after: [...after], consequences: [] };
      const lines = reported({ state: 'unknown', order: order as Change['order'], plan, outcome });
      expect(lines.join('\n')).toContain(words);
    },
  );
});

describe('a call that Redis lost', () => {
  const TOKEN = {
    kind: 'token.create',
    name: 'ci',
    description: '',
    roles: ['org_creator'],
  } as const;
  const ended = (over: Partial<Change>) =>
    reported({
      state: 'unknown',
      suspect: true,
      order: { ...TOKEN, roles: [...TOKEN.roles] },
      plan: { before: [], after: FACTS, consequences: [] },
      ...over,
    });

  it('deletes a token only where its secret was not seen', () => {
    expect(ended({ outcome: { at: DECIDED_AT, ...NOT_KNOWN }, sentAt: DECIDED_AT })[3]).toMatch(
      /If a token ci created after 09:00 is there, it was done: delete it unless its requester has the secret;/,
    );
  });

  it('is done where it is there, with a sentence for each kind', () => {
    const lines = ended({ outcome: { at: DECIDED_AT, ...inUse('token') } });

    expect(lines[1]).toMatch(/ Done · the token may not have been seen/);
    expect(lines[2]).toMatch(/The token was created, .* delete it with \/billing tokens delete\.$/);
    expect(lines[3]).toBe('→ If you still need one, ask again: `/billing tokens create`');
    expect(inUse('superuser key').sentence).toMatch(/The org was created, .* its service accounts/);
  });
});

describe('a thing that was gone before it was to be deleted', () => {
  const decision = APPROVED;
  const plan = { before: FACTS, after: [], consequences: [] };
  const order = { kind: 'alert.delete' } as const;

  it.each([
    ['Nothing to do', 'failed', 'gone'],
    ['Done', 'succeeded', 'nothing'],
  ] as const)('is no failure, and nothing is listed as deleted: %s', (word, state, code) => {
    const lines = cardOf({ state, order, plan, decision, outcome: { ...outcome, code } });

    expect(lines[1]).toContain(`:heavy_minus_sign: ${word} · it was gone already · approved`);
    expect(lines).not.toContain('*Deleted*');
  });
});

describe('the secret of a change', () => {
  it('says when it can be seen no longer, and what becomes of it then', () => {
    expect(linesOf(messageOf(createdToken({}), 'told'))).toContain(
      '→ Have a safe place ready, then Reveal: the token is shown *once*, to you alone. After 09:25 it is deleted.',
    );
    expect(linesOf(messageOf(createdToken({ what: 'superuser key' }), 'told'))).toContain(
      '→ Have a safe place ready, then Reveal: the superuser key is shown *once*, to you alone. After 09:25 it can no longer be shown, and goes on working.',
    );
  });

  it('that was not revealed in time can be asked for again', () => {
    const lines = linesOf(messageOf(createdToken({ state: 'lapsed' }), 'lapsed'));
    expect(lines).toContain('[Ask again]');
  });

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

  it('is part of the first message where it never waited', () => {
    const change = createdToken({ state: 'lost', cleaned: DELETED });

    expect(messageOf(change, 'lapsed')).toBeUndefined();
    expect(linesOf(messageOf(change, 'told'))[2]).toBe('The token was deleted.');
    expect(linesOf(messageOf(change, 'told'))[3]).toContain('ask again: `/billing tokens create`');
  });

  it.each(['sealed', 'opening', 'revealed'] as const)('is not given up while %s', (state) => {
    expect(messageOf(createdToken({ state }), 'lapsed')).toBeUndefined();
  });
});
