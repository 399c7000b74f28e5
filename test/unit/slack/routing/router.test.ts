import { describe, expect, it } from 'vitest';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import type { Word } from '../../../../src/lib/words.ts';
import type { Answer, CommandRoute } from '../../../../src/slack/routing/routes.ts';
import { done, fail, fails, routed, saying, shut, textOf } from './routed.ts';

describe('the router', () => {
  it('logs why, when someone is refused because something failed', async () => {
    const cause = new Error('missing_scope: users:read');
    const authorize = fails(new Refusal('Slack cannot identify you: try again.', cause));
    const router = routed(() => Promise.resolve(done), { authorize });

    expect(textOf(await router.type('cart'))).toContain('Slack cannot identify you');
    expect(router.log()).toContain('missing_scope: users:read');
  });

  it('hands over the words, the person and the place', async () => {
    let seen: unknown;
    const router = routed((words, context) => {
      seen = { words, ...context };
      return Promise.resolve(done);
    });

    await router.type(' cart "a b" ');

    expect(seen).toEqual({
      person: { userId: 'U1', teamId: 'T1' },
      channelId: 'C1',
      words: [
        { text: 'cart', quoted: false },
        { text: 'a b', quoted: true },
      ],
    });
  });

  it.each([' Help ', 'HELP me please', '?', '-h', '--help', '—help'])(
    'helps without asking anyone: %j',
    async (text) => {
      const router = routed(fails(new Error('never')), shut);
      expect(textOf(await router.type(text))).toContain('/ship – Ships.');
    },
  );

  it('shows the way to help when it was mistyped, and nothing nearer is known', async () => {
    const said = async (suggestion?: string, typed = 'helpp'): Promise<string | undefined> =>
      textOf(await routed(fails(new UsageError('What?', suggestion))).type(typed));

    expect(await said()).toContain('Did you mean `/ship help`?');
    expect(await said('/ship kelp')).toContain('Did you mean `/ship kelp`?');
    expect(await said(undefined, '"helpp"')).toBe('What? For example: `/ship cart`');
    expect(await said(undefined, 'cart')).toBe('What? For example: `/ship cart`');
  });

  it('takes a quoted help for a name', async () => {
    expect(await routed(() => Promise.resolve(done)).type('"help"')).toBe(done);
  });

  it('lets the command that knows all others help, with the words after it', async () => {
    const helpOn = async (words: readonly Word[]) =>
      saying(words.map(({ text }) => text).join(' '));
    const router = routed(fails(new Error('never')), shut, { helpOn });

    expect(textOf(await router.type('help a b'))).toBe('a b');
    expect(textOf(await router.type('help'))).toBe('–');
  });

  it('lets no one past who is not admitted, by command or by button', async () => {
    const router = routed(() => Promise.resolve(done), shut);
    expect(textOf(await router.type('cart'))).toBe('You have no access: ask an admin.');
    expect(textOf(await router.click('ship.it', 'x'))).toBe('You have no access: ask an admin.');
  });

  it('logs one line for a member without access: who, the action, and why in a word', async () => {
    const guests = fails(new Refusal('No guests: ask Ann.', undefined, 'guest'));
    const reported: unknown[] = [];
    const refused = async (asked: object, why: string) => void reported.push({ ...asked, why });
    const router = routed(() => Promise.resolve(done), { authorize: guests, refused });
    const lines = () => router.log().match(/A person was refused/g)?.length ?? 0;

    await router.click('ship.it', 'x');

    expect(lines()).toBe(1);
    expect(router.log()).toContain('"user":"U1","what":"ship.it","why":"guest"');
    expect(router.log()).toContain('"level":"info"');
    expect(reported).toEqual([{ userId: 'U1', what: 'ship.it', value: 'x', why: 'guest' }]);

    await router.type('cart');

    expect(lines()).toBe(2);
    expect(router.log()).toContain('"user":"U1","what":"/ship","why":"guest"');
  });

  it('logs no line when a request itself is refused', async () => {
    const router = routed(fails(new Refusal('There is no cart: ask for a ship.')));
    await router.type('cart');
    expect(router.log()).toBe('');
  });

  it('gives the no all the same when it cannot be written down', async () => {
    const away = fails(new Error('no store'));
    const guests = fails(new Refusal('No guests: ask Ann.', undefined, 'guest'));
    const router = routed(() => Promise.resolve(done), { authorize: guests, refused: away });

    expect(textOf(await router.click('ship.it', 'x'))).toBe('No guests: ask Ann.');
    await expect.poll(() => router.log()).toContain('A refusal was not written down');
  });

  it('gives an error of the platform its sentence, and logs it', async () => {
    const router = routed(fails(new Error('HTTP 503')), {
      explain: () => 'Try again in a minute.',
    });
    expect(textOf(await router.type('cart'))).toBe('Try again in a minute.');
    expect(router.log()).toContain('HTTP 503');
  });

  describe('while Purser stops', () => {
    const restarting = 'Purser is being restarted just now: please try again in a minute.';
    const stopping = AbortSignal.abort();

    it.each([
      ['a call that was ended', new Error('aborted')],
      ['a refusal by failure', new Refusal('Slack cannot identify you.', new Error('gone'))],
    ])('says so instead of %s, and logs it', async (_, error) => {
      const router = routed(fails(error), { stopping });
      expect(textOf(await router.type('cart'))).toBe(restarting);
      expect(router.log()).toContain(error.cause === undefined ? 'aborted' : 'gone');
    });

    it('still gives an answer that is true then, too', async () => {
      const said = async (run: () => Promise<Answer>): Promise<string | undefined> =>
        textOf(await routed(run, { stopping }).type('cart'));

      expect(await said(() => Promise.resolve(done))).toBe('done');
      expect(await said(fails(new Refusal('There is no cart.')))).toContain('There is no cart.');
      expect(await said(fails(new UsageError('No such word.')))).toContain('No such word.');
    });
  });

  it('is friendly about its own mistakes, and logs them without secrets', async () => {
    const router = routed(fails(new TypeError('cannot read top-secret of undefined')));

    const answer = await router.type('cart');

    expect(textOf(answer)).toContain('Something went wrong inside Purser');
    expect(textOf(answer)).not.toContain('undefined');
    expect(router.log()).toContain('"level":"error"');
    expect(router.log()).toContain('cannot read [hidden] of undefined');
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

    it('runs no unknown command', async () => {
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
