import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { changeOf } from '../../../support/changes.ts';
import { linesOf, messageOf } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

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
      ': create the token `*ci* &lt;!channel&gt; _x_ ˋyˋ :fire:` &amp;amp;, by ',
    );
  });

  it('have what cannot be seen written out, and alphabets that are mixed named', () => {
    const after = [
      { name: 'Name', text: 'ci\u200B' },
      { name: 'E-mail', text: '\u0430da@acme.example' },
    ];
    const lines = cardLines({
      title: 'Add the billing user \u0430da@acme.example',
      plan: { before: [], after, consequences: [] },
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        '*Add the billing user \u0430da@acme.example ⚠ has letters of two alphabets (Latin and Cyrillic)* · requested by <@U0ADA>, 09:00',
        '• Name: *ci⟨U+200B⟩* ⚠ has an invisible character (U+200B)',
        '• E-mail: *\u0430da@acme.example* ⚠ has letters of two alphabets (Latin and Cyrillic)',
      ]),
    );
  });
});
