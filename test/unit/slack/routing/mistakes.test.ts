import { describe, expect, it } from 'vitest';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import type { Answer, CommandRoute } from '../../../../src/slack/routing/routes.ts';
import { done, fail, fails, routed, saying, shut, textOf } from './routed.ts';

describe('the router, of a mistake', () => {
  it('answers words that cannot be read in one line, with a button for the suggestion and one for all words', async () => {
    const answer = await routed(fails(new UsageError('No <such> word.', '/ship cart'))).type('x');

    expect(textOf(answer)).toBe('No &lt;such&gt; word. Did you mean `/ship cart`?');
    expect(answer?.blocks).toHaveLength(1);
    expect(answer?.buttons?.map(({ text, value }) => [text.text, value])).toEqual([
      ['Run it', '/ship cart'],
      ['Help for /ship', '/ship'],
    ]);
  });

  describe('with a suggestion', () => {
    /** Knows ships in small letters. */
    const parse: CommandRoute['parse'] = ([first]) => {
      if (/^[a-z&<>@|]+$/.test(first?.text ?? '')) return { command: first?.text };
      throw new UsageError('Small letters, please.');
    };
    const sails = (words: unknown): Promise<Answer> =>
      Promise.resolve(saying(`${String(words)} sails`));

    it('suggests nothing that it would not understand, such as a placeholder', async () => {
      const suggesting =
        (suggestion: string): CommandRoute['parse'] =>
        (words) =>
          words[0]?.text === 'x' ? fail(new UsageError('What?', suggestion)) : parse(words);
      const said = async (suggestion: string): Promise<string | undefined> =>
        textOf(await routed(sails, {}, { parse: suggesting(suggestion) }).type('x'));

      expect(await said('/ship cart')).toContain('Did you mean `/ship cart`?');
      // It is read as if it had been typed, so that this is no mention of Slack's, and two words.
      expect(await said('/ship <@u|a b>')).toContain('Did you mean');
      expect(await said('/ship NAME')).not.toContain('Did you mean');
      expect(await said('/sink cart')).not.toContain('Did you mean');
    });

    it('runs it as if it had been typed, with all that was in it', async () => {
      const router = routed(sails, {}, { parse });

      expect(textOf(await router.click('command.run', '/ship cart'))).toBe('cart sails');
      expect(textOf(await router.click('command.run', '/ship a&amp;b'))).toContain('Small letters');
      expect(textOf(await router.click('command.run', '/ship a&b'))).toBe('a&amp;b sails');
    });

    it('runs no command that there is not', async () => {
      expect(await routed(sails, {}, { parse }).click('command.run', '/sink cart')).toBe(undefined);
    });

    it('does not run it for a member without access', async () => {
      const router = routed(fails(new Error('never')), shut, { parse });
      expect(textOf(await router.click('command.run', '/ship cart'))).toContain(
        'You have no access',
      );
      expect(textOf(await router.click('command.words', '/ship'))).toContain('You have no access');
    });

    it('shows all words, or those of the subcommand that it is about', async () => {
      const router = routed(sails, {}, { parse });
      expect(JSON.stringify(await router.click('command.words', '/ship'))).toContain(
        '`/ship NAME` ships it',
      );
    });
  });

  it('opens the notes of an answer only after another check of the right', async () => {
    const asked: unknown[] = [];
    const seeing = routed(() => Promise.resolve(done), {
      requireRight: async (_, needs) => void asked.push(needs),
    });
    const blind = routed(() => Promise.resolve(done), {
      requireRight: fails(new Refusal('That takes a role: ask Ann.')),
    });

    expect(await seeing.open('answer.notes')).toMatch(/Notes.*one.*two/);
    expect(asked).toEqual(['money']);
    expect(await blind.open('answer.notes')).not.toContain('one');
  });

  it.each(['"never closed', 'x'.repeat(5_000)])(
    'refuses %.20s… before it is read',
    async (text) => {
      const answer = await routed(fails(new Error('never'))).type(text);
      expect(textOf(answer)).toContain('For example: `/ship cart`');
    },
  );
});
