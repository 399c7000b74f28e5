import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { changeOf, REASON } from '../../../support/changes.ts';
import { linesOf, messageOf } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

/** States of a card that the catalogue does not show. */
describe('the card of a change', () => {
  it('quotes the reason below its title', () => {
    const reason = 'Audit *2026* <!channel>';
    expect(cardLines({ reason })[1]).toBe('> Audit `*2026*` &lt;!channel&gt;');
    expect(card(changeOf({ reason }))?.text).toMatch(
      /\n“Audit `\*2026\*` &lt;!channel&gt;”\nChanged: Amount: \$400.00 → \$500.00\n/,
    );
  });

  it('has the warnings below the reason, and nowhere else', () => {
    const consequences = ['Saving re-arms the alert.', '⚠ One <b>.', '⚠ Two.'];
    const change = changeOf({ plan: { before: [], after: [], consequences } });

    const lines = linesOf(card(change));

    expect(lines.slice(1, 3)).toEqual(['⚠ One &lt;b&gt;.', '⚠ Two.']);
    expect(lines[3]).toContain('Waiting for a review');
    expect(lines.filter((line) => line.includes('⚠'))).toHaveLength(2);
    expect(card(change)?.text).toContain(`“${REASON}”\n⚠ One &lt;b&gt;.\n⚠ Two.\nWhat happens\n`);
    expect(card(change)?.text.match(/⚠/g)).toHaveLength(2);
  });

  it('counts unchanged values when there are many, and shows a field that comes or goes', () => {
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
});

describe('a name that can be taken for another one', () => {
  it.each([
    [{ kind: 'user.remove', email: 'd\u0430n@x.example' }, 'The address', 'another person’s'],
    [{ kind: 'token.delete', tokenId: 't1', name: 'pr\u043Ed' }, 'The name', 'another one'],
  ] as const)('has a warning below the title: %j', (order, what, whose) => {
    const name = 'email' in order ? order.email : order.name;
    const lines = cardLines({ order, title: `Remove ${name}` });

    expect(lines[0]).toMatch(new RegExp(`^\\*Remove ${name}\\* · requested`));
    expect(lines[1]).toBe(
      `⚠ ${what} has letters of two alphabets (Latin and Cyrillic): it can imitate ${whose}.`,
    );
  });
});

describe('the text of a card', () => {
  it('begins with state and title, and has the rest of the state line, requester, reason and warnings', () => {
    const consequences = ['⚠ One.'];
    const plan = { before: [], after: [], consequences };

    expect(card(changeOf({ plan, group: 'S0FIN' }))?.text.split('\n')).toEqual([
      'Waiting for a review: Set the spend alert to $500.00 · reviewers: <!subteam^S0FIN> (`billing_admin`)',
      expect.stringMatching(/^expires <!date/),
      expect.stringMatching(/^Requested by <@U0ADA>, <!date.* · `k3m9x2ab`$/),
      `“${REASON}”`,
      '⚠ One.',
    ]);
  });
});

describe('a card that would be too long', () => {
  const factsOf = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `F${index}`, text }));
  const planOf = (after: Change['plan']['after'], consequences: string[] = []) => ({
    plan: { before: [], after, consequences },
  });

  it('shows fewer of them where that is too long as well', () => {
    const people = Array.from({ length: 45 }, (_, index) => `person-${index}@acme.example.com`);
    const after = [
      { name: 'Description', text: '&'.repeat(500) },
      { name: 'Invitees', text: people.join(', ') },
      ...factsOf(8, 'x'),
    ];

    const title = `Create the org ${'o'.repeat(150)}`;
    const lines = cardLines({ title, ...planOf(after, ['y'.repeat(200), 'Two.', 'Three.']) });

    expect(lines.slice(3, -3)).toEqual([
      `• Description: *${'&'.repeat(79)}…*`,
      '• Invitees: *person-0@acme.example.com, person-1@acme.example.com, person-2@acme.example.com and 42 more*',
      '• F0: *x*',
      '• … and 7 more',
      '*What happens*',
      `• ${'y'.repeat(200)}`,
      '• … and 2 more',
    ]);
  });

  it.each([12, 13])('is cut when it is over and has more than twelve: %i lines', (count) => {
    const lines = cardLines({ state: 'succeeded', ...planOf(factsOf(count - 5, 'x')) });
    const shown = lines.filter((line) => !line.startsWith('['));
    // The reason is a line, too.
    expect(shown.length + 1).toBe(count > 12 ? 10 : 12);
  });
});

describe('foreign values on a card', () => {
  it('are shown as they are: nothing of them is formatted, no backtick and no space is lost', () => {
    const name = '*ci* <!channel> _x_  `y` :fire: &amp;';
    const after = [
      { name: 'Name', text: name },
      { name: 'Description', text: 'one\n• Roles: none' },
    ];

    const message = card(
      changeOf({
        title: `Create the token ${name}`,
        plan: { before: [], after, consequences: [`There is a token ${name} already.`] },
      }),
    );

    expect(linesOf(message)).toEqual(
      expect.arrayContaining([
        '*Create the token `*ci* &lt;!channel&gt; _x_ ˋyˋ :fire:` &amp;amp;* · requested by <@U0ADA>, 09:00',
        `• Name: \`${name}\``,
        '• Description: *one ⏎ • Roles: none*',
        `• There is a token ${name} already.`,
      ]),
    );
    expect(message?.text).toContain(
      'Waiting for a review: Create the token `*ci* &lt;!channel&gt; _x_ ˋyˋ :fire:` &amp;amp;\n',
    );
  });
});
