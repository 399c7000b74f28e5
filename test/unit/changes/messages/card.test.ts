import { describe, expect, it } from 'vitest';
import * as ends from '../../../../src/changes/ends.ts';
import { type Change, STATES } from '../../../../src/changes/change.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, createdToken, DECIDED_AT, linesOf, messageOf, MINUTE } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

const NOW = [{ name: 'Amount', text: '$1.00' }];
const REFUSED = {
  at: DECIDED_AT,
  code: 'approver-lost',
  sentence: 'Ben is no admin now.',
} as const;

describe('the card of a change', () => {
  it('shows what must not be overlooked first, and in the notification', () => {
    const last = '⚠ Cleo is the last billing_admin.';
    const plan = { ...changeOf().plan, consequences: ['It takes 5 minutes.', last] };
    const message = card(changeOf({ plan }));

    expect(message?.text).toContain(` · ${last} · `);
    expect(linesOf(message)).toEqual(
      expect.arrayContaining(['*What happens*', `• ${last}`, '• It takes 5 minutes.']),
    );
    expect(linesOf(message).indexOf(`• ${last}`)).toBeLessThan(
      linesOf(message).indexOf('• It takes 5 minutes.'),
    );
  });

  it('quotes the reason below its title', () => {
    const reason = 'Audit *2026* <!channel>';
    expect(cardLines({ reason })[1]).toBe('> Audit `*2026*` &lt;!channel&gt;');
    expect(card(changeOf({ reason }))?.text).toMatch(/ · “Audit `\*2026\*` &lt;!channel&gt;”$/);
    expect(cardLines({ reason: '' })[1]).toContain('Waiting for a review');
  });

  const fact = (name: string, text: string) => ({ name, text });
  it.each([
    ['spend alert $400 → $500', {}],
    [
      'give cy@acme.example the role org_creator (billing_viewer → org_creator)',
      {
        title: 'Give cy@acme.example the role org_creator',
        order: { kind: 'user.roles', email: 'cy@acme.example', roles: ['org_creator'] },
        plan: {
          before: [fact('E-mail', 'cy@acme.example'), fact('Roles', 'billing_viewer')],
          after: [fact('E-mail', 'cy@acme.example'), fact('Roles', 'org_creator')],
          consequences: [],
        },
      },
    ],
    [
      'delete the spend alert',
      {
        title: 'Delete the spend alert',
        order: { kind: 'alert.delete' },
        plan: { before: NOW, after: [], consequences: [] },
      },
    ],
  ] satisfies [string, Partial<Change>][])('notifies of %s', (words, over) => {
    const { text = '' } =
      card(changeOf({ ...over, expiresAt: Date.UTC(2026, 10, 20, 17, 48) })) ?? {};
    const begin = `<@U0ADA> asks for approval: ${words}, by <!date^1795196880^{time}|2026-11-20 17:48 UTC>`;
    expect(text.slice(0, begin.length)).toBe(begin);
  });

  const OFFERED: Partial<Record<Change['state'], string[]>> = {
    pending: ['[Review]', '[Withdraw]', '[Details]'],
    approved: ['[Withdraw]', '[Details]'],
  };
  it.each(STATES)('offers a decision while it waits, and Details always: %s', (state) => {
    const offered = cardLines({ state }).filter((line) => line.startsWith('['));
    expect(offered).toEqual(OFFERED[state] ?? ['[Details]']);
  });

  it.each([
    ['approved', 'Approved'],
    ['executing', 'In progress'],
    ['succeeded', 'Done'],
    ['failed', 'Failed'],
    ['unknown', 'Unknown'],
    ['rejected', 'Rejected'],
    ['expired', 'Expired'],
    ['withdrawn', 'Withdrawn'],
    ['drifted', 'Changed meanwhile'],
    ['refused', 'Refused'],
  ] as const)('says first what happened when it is %s', (state, word) => {
    const message = card(changeOf({ state }));
    const caveat = state === 'refused' ? ' · nothing was sent' : '';
    expect(message?.text).toBe(`${word}: Set the spend alert to $500.00${caveat}`);
    expect(linesOf(message)[1]).toContain(state === 'refused' ? 'Not sent' : word);
  });

  it.each([
    [
      { group: 'S0ADMINS', approvers: ['billing_admin', 'org_creator'] },
      '<!subteam^S0ADMINS> (`billing_admin` or `org_creator`) ·',
    ],
    [{}, '`billing_admin` ·'],
  ])('names the approvers: %j', (over, words) => {
    expect(cardLines(over)[1]).toContain(`Waiting for a review by ${words}`);
  });

  it('shows which roles somebody loses and gains, and what stays', () => {
    const before = [
      { name: 'E-mail', text: 'cy@acme.example' },
      { name: 'Roles', text: 'billing_viewer, org_creator' },
    ];
    const after = [
      { name: 'E-mail', text: 'cy@acme.example' },
      { name: 'Roles', text: 'billing_admin, org_creator' },
    ];

    const lines = cardLines({ plan: { before, after, consequences: [] } });

    expect(lines.slice(2, 4)).toEqual([
      '• Roles: *billing_viewer, org_creator* → *billing_admin, org_creator* (loses billing_viewer, gains billing_admin)',
      '• E-mail: *cy@acme.example* (unchanged)',
    ]);
    expect(lines).not.toContain('*What happens*');
  });

  it('counts what stays when that is much, and shows a field that comes or goes', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ name: `F${index}`, text: 'x' }));
    const before = [...many, { name: 'Old', text: 'gone' }];
    const after = [...many, { name: 'New', text: 'here' }];

    expect(cardLines({ plan: { before, after, consequences: [] } })).toEqual(
      expect.arrayContaining([
        '• Old: *gone* → –',
        '• New: – → *here*',
        '• F3: *x* (unchanged)',
        '• 5 more fields unchanged',
      ]),
    );
  });

  it('shows what is no more than twelve lines and 900 characters as it is', () => {
    const after = [{ name: 'Description', text: 'x'.repeat(500) }];

    const lines = cardLines({ plan: { before: [], after, consequences: [] } });

    expect(lines).toContain(`• Description: *${'x'.repeat(500)}*`);
  });

  it.each([
    [[], NOW, '*Will be created*'],
    [NOW, [], '*Will be deleted*'],
  ])('shows what is new, and what goes away: %j', (before, after, heading) => {
    expect(cardLines({ plan: { before, after, consequences: [] } }).slice(2)).toEqual(
      expect.arrayContaining([heading, '• Amount: *$1.00*']),
    );
  });
});

describe('the card of what was decided', () => {
  it('says by whom, and quotes the comment as one line', () => {
    const comment = ' Too much.\r\n  *Approved by* <!channel>\u2028> `me`';
    const decision = { ...APPROVED, verdict: 'reject', comment } as const;
    expect(cardLines({ state: 'rejected', decision }).slice(1, 3)).toEqual([
      ':heavy_minus_sign: Rejected · by <@U0BEN>, 09:10 · nothing changed',
      '> Too much. `*Approved by* &lt;!channel&gt; &gt;` ˋmeˋ',
    ]);
  });

  it('marks an approval by the requester, and one that nobody had to give', () => {
    const own = { ...APPROVED, by: { userId: 'U0ADA', teamId: 'T0ACME' }, self: true };
    const { by: _, ...nobody } = APPROVED;

    for (const state of ['approved', 'executing'] as const) {
      expect(cardLines({ state, decision: own })[1]).toContain('*self-approved* by <@U0ADA>');
    }
    expect(cardLines({ state: 'approved', decision: nobody })[1]).toContain('approvals are off');
  });

  it.each([
    ['rejected', { decision: { ...APPROVED, verdict: 'reject' } }, 'by <@U0BEN>'],
    ['withdrawn', { withdrawnAt: DECIDED_AT }, 'by <@U0ADA>'],
    ['expired', {}, 'not decided until'],
  ] as const)('says of a %s one how it ended, and not its values', (state, over, words) => {
    const lines = cardLines({ state, ...over });
    expect(lines[1]).toContain(words);
    expect(lines.filter((one) => one.startsWith('•'))).toEqual([]);
  });

  it.each([
    ['approved', {}, 'about to be carried out'],
    ['approved', { retryAt: DECIDED_AT }, 'another change of this kind is carried out first'],
    ['approved', { retryAt: DECIDED_AT, silentSince: DECIDED_AT }, 'does not answer'],
    ['executing', { sendings: 1, sentAt: DECIDED_AT }, 'sent to the platform'],
    ['executing', { sendings: 2, sentAt: DECIDED_AT }, 'the platform’s answer was lost'],
    ['executing', { sendings: 1, retryAt: DECIDED_AT }, 'the platform’s answer was lost'],
    ['refused', { outcome: REFUSED }, 'Not sent'],
  ] as const)('says what is being done: %s %j', (state, over, words) => {
    const lines = cardLines({ state, decision: APPROVED, ...over });

    expect(lines[1]).toContain(words);
    expect(lines.includes('Ben is no admin now.')).toBe('outcome' in over);
    // What is not sent has no effect that could be announced.
    expect(lines.includes('*What happens*')).toBe(!('outcome' in over));
  });

  it('says of a drifted one that nothing was sent, why, and what helps, with times for each reader', () => {
    const lines = cardLines({
      state: 'drifted',
      decision: APPROVED,
      outcome: {
        at: DECIDED_AT,
        code: 'changed',
        sentence: 'Request p7q4w8zt changed it at 2026-11-20 09:05 UTC.',
      },
    });

    expect(lines[1]).toContain('Changed meanwhile · after the approval, so nothing was sent');
    expect(lines[2]).toBe('Request p7q4w8zt changed it at 09:05.');
    expect(lines[3]).toContain('Look first: `/alert`.');
  });

  it('shows what the platform answered to a quota request that it denied', () => {
    const order = {
      kind: 'quota.request',
      org: 'acme',
      quotaName: 'gvcs',
      requestedMax: 9,
    } as const;
    const ended = (state: 'failed' | 'succeeded', now: { name: string; text: string }[]) =>
      cardLines({
        state,
        order,
        outcome: { at: DECIDED_AT, code: 'denied', sentence: 'So it ended.', now },
      });
    const now = [{ name: 'Status', text: 'denied' }];

    expect(ended('failed', now)).toEqual(
      expect.arrayContaining(['*The platform’s answer*', '• Status: *denied*']),
    );
    expect(ended('failed', []).join('\n')).not.toMatch(/answer/i);
    expect(ended('succeeded', now).join('\n')).not.toMatch(/answer|Status|verified/i);
  });

  it.each([
    ['sealed', {}, 'who alone can reveal it until 09:25: in their messages'],
    ['opening', {}, 'is being shown to <@U0ADA>.'],
    ['revealed', { at: DECIDED_AT + MINUTE }, 'was shown to <@U0ADA>, once, 09:11.'],
    ['lapsed', {}, 'The token is being deleted.'],
    ['lost', { cleaned: ends.CLEANED }, 'The token was deleted;'],
    ['lapsed', { cleaned: ends.NOT_CLEANED }, '`/billing tokens delete`'],
    ['lapsed', { what: 'superuser key' }, 'Delete it in the org itself'],
  ] as const)('says what became of the secret: %s %j', (state, over, words) => {
    expect(linesOf(card(createdToken({ state, ...over }))).join('\n')).toContain(words);
  });

  it.each([
    ['lapsed', { at: DECIDED_AT + 15 * MINUTE }, 'not revealed in time'],
    ['lost', {}, 'the platform’s answer with it was lost'],
  ] as const)('is not green when the secret was given up: %s %j', (state, over, words) => {
    expect(linesOf(card(createdToken({ state, ...over })))[1]).toMatch(
      new RegExp(`^:large_orange_circle: .* · ${words}`),
    );
  });

  it('says of a secret that was given up while it was shown that it may not have been seen', () => {
    expect(linesOf(card(createdToken({ state: 'lapsed' }))).slice(1, 4)).toEqual([
      ':large_orange_circle: Token may not have been seen · approved by <@U0BEN>, 09:10',
      'The token ci was created.',
      'The token is being deleted.',
    ]);
  });
});
