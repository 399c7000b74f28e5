import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { STATES } from '../../../../src/changes/change.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, createdToken, DECIDED_AT, linesOf, messageOf, MINUTE } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

describe('the card of a change', () => {
  it('says what is asked for, by whom, what follows, who may approve and until when', () => {
    expect(cardLines()).toEqual([
      ':hourglass_flowing_sand: *Pending* · Set the spend alert to 500.00 USD',
      'Asked for by <@U0ADA>, 09:00',
      '• *Amount*: `400.00 USD` → `500.00 USD`',
      '*What follows*',
      '• Saving re-arms the alert.',
      'Waits for a review by `billing_admin`.',
      '`k3m9x2ab` · expires 17:00 · all of it: `/changes show k3m9x2ab`',
      '[Review]',
      '[Withdraw]',
    ]);
  });

  it.each(STATES)('has the state %s in its text, and buttons while it waits only', (state) => {
    const message = card(changeOf({ state }));

    expect(message?.text).toBe(`Change k3m9x2ab ${state}: Set the spend alert to 500.00 USD`);
    expect(linesOf(message).filter((line) => line.startsWith('['))).toEqual(
      state === 'pending' ? ['[Review]', '[Withdraw]'] : [],
    );
  });

  it('mentions the user group of those who may approve, where there is one', () => {
    expect(cardLines({ group: 'S0ADMINS', approvers: ['billing_admin', 'org_creator'] })).toContain(
      'Waits for a review by <!subteam^S0ADMINS> (`billing_admin` or `org_creator`).',
    );
  });

  it('says so where it is no role that lets people approve', () => {
    expect(cardLines({ approvers: [] })).toContain(
      'Waits for a review by people who may read the orgs.',
    );
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
      '• *Roles*: `billing_viewer, org_creator` → `billing_admin, org_creator` (loses billing_viewer, gains billing_admin)',
      '• E-mail: `cy@acme.example` (stays)',
    ]);
    expect(lines).not.toContain('*What follows*');
  });

  it('counts what stays when that is much, and shows a field that comes or goes', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ name: `F${index}`, text: 'x' }));
    const before = [...many, { name: 'Old', text: 'gone' }];
    const after = [...many, { name: 'New', text: 'here' }];

    const lines = cardLines({ plan: { before, after, consequences: [] } });

    expect(lines).toEqual(
      expect.arrayContaining([
        '• *Old*: `gone` → –',
        '• *New*: – → `here`',
        '• F3: `x` (stays)',
        '• 5 more fields stay as they are',
      ]),
    );
  });

  it('cuts a long value, so that the other fields keep their place', () => {
    const after = [
      { name: 'Description', text: 'x'.repeat(5_000) },
      { name: 'Name', text: 'ci' },
    ];

    const lines = cardLines({ plan: { before: [], after, consequences: [] } });

    expect(lines).toContain(`• Description: \`${'x'.repeat(499)}…\``);
    expect(lines).toContain('• Name: `ci`');
  });

  it('shows a list whole, beside the longest value', () => {
    const people = Array.from({ length: 45 }, (_, index) => `somebody-${index}@acme.example.com`);
    const after = [
      { name: 'Description', text: '&'.repeat(500) },
      { name: 'Invitees', text: people.join(', ') },
      { name: 'Superuser key', text: 'no' },
    ];

    const lines = cardLines({ plan: { before: [], after, consequences: [] } });

    expect(lines).toEqual(
      expect.arrayContaining([
        `• Description: \`${'&'.repeat(500)}\``,
        `• Invitees: \`${people.join(', ')}\``,
        '• Superuser key: `no`',
      ]),
    );
  });

  it('counts what it has no room for', () => {
    const after = Array.from({ length: 14 }, (_, index) => ({
      name: `F${index}`,
      text: '&'.repeat(500),
    }));

    const lines = cardLines({ plan: { before: [], after, consequences: [] } });

    expect(lines).toContain(`• F8: \`${'&'.repeat(500)}\``);
    expect(lines).toContain('• … and 5 more');
  });

  it('shows what is new, and what goes away', () => {
    const facts = [{ name: 'Amount', text: '1.00 USD' }];

    expect(cardLines({ plan: { before: [], after: facts, consequences: [] } })).toContain('*New*');
    expect(cardLines({ plan: { before: facts, after: [], consequences: [] } })).toEqual(
      expect.arrayContaining(['*Goes away*', '• Amount: `1.00 USD`']),
    );
  });
});

describe('the card of what was decided', () => {
  it('says by whom, and quotes each line of the comment as one', () => {
    const comment = ' As agreed.\r\n\n  *Approved by* <!channel>\u2028> `me`';
    const lines = cardLines({ state: 'approved', decision: { ...APPROVED, comment } });

    expect(lines.slice(lines.indexOf('Approved by <@U0BEN>, 09:10') + 1).slice(0, 4)).toEqual([
      '> As agreed.',
      '> `*Approved by*` &lt;!channel&gt;',
      '> `&gt;` ˋmeˋ',
      'It is about to be carried out.',
    ]);
  });

  it('quotes six lines of a comment, and counts the rest', () => {
    const commented = (count: number) => {
      const comment = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
      return cardLines({ state: 'approved', decision: { ...APPROVED, comment } }).filter((line) =>
        line.startsWith('> '),
      );
    };

    expect(commented(6)).toHaveLength(6);
    expect(commented(8).slice(5)).toEqual(['> line 6', '> … and 2 more lines']);
  });

  it('marks an approval by the requester, and one that nobody had to give', () => {
    const own = { ...APPROVED, by: { userId: 'U0ADA', teamId: 'T0ACME' }, self: true };
    const { by: _, ...nobody } = APPROVED;

    expect(cardLines({ state: 'approved', decision: own })).toContain(
      '*Approved by the requester* (ALLOW_SELF_APPROVAL), <@U0ADA>, 09:10',
    );
    expect(cardLines({ state: 'approved', decision: nobody })).toContain(
      'No approval was needed (APPROVALS=off), 09:10',
    );
  });

  it.each([
    ['rejected', { decision: { ...APPROVED, verdict: 'reject' } }, 'Rejected by <@U0BEN>, 09:10'],
    ['withdrawn', { withdrawnAt: DECIDED_AT }, 'Withdrawn by <@U0ADA>, 09:10'],
    ['expired', {}, 'Nobody decided in time: it expired 17:00.'],
  ] as const)('says of a %s one how it ended', (state, over, line) => {
    expect(cardLines({ state, ...over })).toContain(line);
  });

  it.each([
    ['approved', { retryAt: DECIDED_AT }, /^Nothing was sent yet: it waits for its turn/],
    [
      'approved',
      { retryAt: DECIDED_AT, silentSince: DECIDED_AT },
      /^Nothing was sent yet, because the platform or Slack does not answer/,
    ],
    ['executing', { sendings: 1, sentAt: DECIDED_AT }, /^It is being carried out/],
    ['executing', { sendings: 2, sentAt: DECIDED_AT }, /^It is being settled/],
    ['executing', { sendings: 1, retryAt: DECIDED_AT }, /^It is being settled/],
    ['executing', { refusal: 'Ben is no admin any more.' }, /^It is not carried out: Ben is no/],
  ] as const)('says what is being done: %s %j', (state, over, line) => {
    const lines = cardLines({ state, decision: APPROVED, ...over });

    expect(lines.filter((one) => line.test(one))).toHaveLength(1);
  });

  it('ends with the sentence and what was read back, and without what follows', () => {
    const outcome = {
      at: DECIDED_AT,
      sentence: 'The alert is at 500.00 USD.',
      now: [{ name: 'Amount', text: '499.00 USD' }],
    };

    const lines = cardLines({ state: 'succeeded', decision: APPROVED, outcome });

    expect(lines.slice(-4)).toEqual([
      'The alert is at 500.00 USD.',
      '*Read back*',
      '• Amount: `499.00 USD`',
      '`k3m9x2ab` · all of it: `/changes show k3m9x2ab`',
    ]);
    expect(lines).not.toContain('*What follows*');
  });

  it('says in a word that what was read back is what was wanted', () => {
    const now = changeOf({}).plan.after;
    const ended = (read: typeof now) =>
      cardLines({ state: 'succeeded', outcome: { at: DECIDED_AT, sentence: 'Done.', now: read } });

    expect(ended(now)).toContain('*Read back*: exactly as ordered');
    expect(ended(now)).not.toContain('Done.');
    expect(ended([...now, { name: 'Created', text: 'today' }])).toContain('• Created: `today`');
  });

  it('says that what was deleted is gone, and nothing where nothing could be read back', () => {
    const ended = (now: [] | undefined) =>
      cardLines({
        state: 'succeeded',
        outcome: { at: DECIDED_AT, sentence: 'Done.', ...(now && { now }) },
      });

    expect(ended([])).toContain('*Read back*: there is none');
    expect(ended(undefined).join('\n')).not.toMatch(/read back/i);
  });

  it('says of a drifted one what is there now, and never that it was read back', () => {
    const drifted = (now: { name: string; text: string }[]) =>
      cardLines({
        state: 'drifted',
        decision: APPROVED,
        outcome: { at: DECIDED_AT, sentence: 'Nothing was sent. It has changed.', now },
      });

    expect(drifted([{ name: 'Amount', text: '500.00 USD' }])).toEqual(
      expect.arrayContaining([
        'Nothing was sent. It has changed.',
        '*What is there now*',
        '• Amount: `500.00 USD`',
      ]),
    );
    expect(drifted([])).toContain('*What is there now*: there is none');
    expect(drifted([]).join('\n')).not.toContain('Read back');
  });

  it('shows what the platform answered to a quota request that it denied', () => {
    const order = {
      kind: 'quota.request',
      org: 'acme',
      quotaName: 'gvcs',
      requestedMax: 9,
    } as const;
    const ended = (state: 'failed' | 'succeeded', now: { name: string; text: string }[]) =>
      cardLines({ state, order, outcome: { at: DECIDED_AT, sentence: 'So it ended.', now } });
    const now = [{ name: 'Status', text: 'denied' }];

    expect(ended('failed', now)).toEqual(
      expect.arrayContaining(['*The platform’s answer*', '• Status: `denied`']),
    );
    expect(ended('failed', []).join('\n')).not.toMatch(/read back|answer/i);
    expect(ended('succeeded', now)).toContain('*Read back*');
  });

  it.each([
    [
      'sealed',
      {},
      'The token waits for <@U0ADA>, who alone can reveal it, until 09:25: in their messages with Purser, or with `/changes show k3m9x2ab`.',
    ],
    ['opening', {}, 'The token is being shown to <@U0ADA>.'],
    ['revealed', { at: DECIDED_AT + MINUTE }, 'The token was shown to <@U0ADA>, once, 09:11.'],
    [
      'lapsed',
      { at: DECIDED_AT + 15 * MINUTE },
      'Nobody revealed the token in time. The token is being deleted.',
    ],
    [
      'lapsed',
      {},
      'The token was not seen, as far as Purser can tell. The token is being deleted.',
    ],
    [
      'lost',
      { cleaned: 'The token was deleted.' },
      'The token never got here: the platform’s answer was lost. The token was deleted.',
    ],
    [
      'lapsed',
      { what: 'superuser key' },
      'The superuser key was not seen, as far as Purser can tell. No API deletes such a key: delete it in the org itself, under its service accounts.',
    ],
  ] as const)('says what became of the secret: %s %j', (state, over, line) => {
    expect(linesOf(card(createdToken({ state, ...over })))).toContain(`:lock: ${line}`);
  });
});
