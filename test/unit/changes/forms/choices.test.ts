import { expect, it } from 'vitest';
import { choiceOf } from '../../../../src/changes/forms/fields.ts';

it('a choice among thousands reads each of them a few times', () => {
  const items = Array.from({ length: 5_000 }, (_, at) => `p${at}@acme.example`);
  let reads = 0;
  const optionOf = (text: string) => {
    reads += 1;
    return { text, value: text };
  };
  const choosing = { what: 'user', by: 'address', optionOf, none: '', look: '/billing' } as const;

  const { chosen } = choiceOf({ items, skipped: 0 }, choosing, { name: 'P4999@acme.example' });

  expect(chosen).toBe('p4999@acme.example');
  expect(reads).toBeLessThan(10 * items.length);
});

it('one that the lists of Slack do not take is not the choice, and the form says so', () => {
  const email = `${'maria_company.example#EXT#'.repeat(3)}@acme.example`;
  const optionOf = (text: string) => ({ text, value: text });
  const choosing = { what: 'user', by: 'address', optionOf, none: '', look: '/billing' } as const;

  const { chosen, notes } = choiceOf({ items: [email], skipped: 0 }, choosing, { name: email });

  expect(chosen).toBeUndefined();
  expect(notes).toEqual([expect.stringMatching(/^There is no user maria_.*… to choose here\.$/)]);
});
