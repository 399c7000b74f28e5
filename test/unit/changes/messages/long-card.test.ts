import { describe, expect, it } from 'vitest';
import { type Change, STATES } from '../../../../src/changes/change.ts';
import { changeOf } from '../../../support/changes.ts';
import { APPROVED, DECIDED_AT, linesOf, messageOf } from './read.ts';

const card = (change: Change) => messageOf(change, 'card');
const cardLines = (over: Partial<Change> = {}) => linesOf(card(changeOf(over)));

describe('a card that would be too long', () => {
  const factsOf = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `F${index}`, text }));
  const planOf = (after: Change['plan']['after'], consequences: string[] = []) => ({
    plan: { before: [], after, consequences },
  });

  it('shows its first lines, counts the rest, and has a button for all of it', () => {
    expect(cardLines(planOf(factsOf(7, 'x'), ['One.', 'Two.', 'Three.'])).slice(2)).toEqual([
      '*Will be created*',
      '• F0: *x*',
      '• F1: *x*',
      '• F2: *x*',
      '• … and 4 more',
      '*What happens*',
      '• One.',
      '• … and 2 more',
      '[Review]',
      '[Withdraw]',
      '[Details]',
    ]);
  });

  it('shows fewer of them where that is too long as well', () => {
    const people = Array.from({ length: 45 }, (_, index) => `somebody-${index}@acme.example.com`);
    const after = [
      { name: 'Description', text: '&'.repeat(500) },
      { name: 'Invitees', text: people.join(', ') },
      ...factsOf(8, 'x'),
    ];

    const title = `Create the org ${'o'.repeat(150)}`;
    const lines = cardLines({ title, ...planOf(after, ['y'.repeat(200), 'Two.', 'Three.']) });

    expect(lines.slice(3, -3)).toEqual([
      `• Description: *${'&'.repeat(79)}…*`,
      '• Invitees: *somebody-0@acme.example.com, somebody-1@acme.example.com, somebody-2@acme.example.com and 42 more*',
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

  it.each(STATES)('has no more than twelve lines when it is %s, or is cut', (state) => {
    const comment = 'too much '.repeat(30);
    const plan = { before: factsOf(9, 'x'), after: factsOf(9, 'y'), consequences: ['z', 'z', 'z'] };
    const lines = cardLines({
      state,
      plan,
      decision: { ...APPROVED, comment },
      outcome: { at: DECIDED_AT, code: 'not-done', sentence: 'So it ended.', now: plan.before },
    });
    const isShort = lines.filter((line) => !line.startsWith('[')).length < 12;

    expect(isShort || lines.some((line) => /^• … and \d+ more$/.test(line))).toBe(true);
  });
});
