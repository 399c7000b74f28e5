import { describe, expect, it } from 'vitest';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { route } from '../../../../src/slack/routing/router.ts';
import type { RoutingServices } from '../../../../src/slack/routing/services.ts';
import type {
  Answer,
  CommandContext,
  CommandRoute,
  CommandHelp,
  ModalContent,
} from '../../../../src/slack/routing/routes.ts';

type Handler = (args: object) => Promise<void>;

const help: CommandHelp = {
  command: '/ship',
  summary: 'Ships.',
  usages: [{ text: '/ship NAME', does: 'ships it' }],
  examples: ['/ship cart'],
};
const done: Answer = { text: 'done', blocks: [] };

/** A router between a pretended Bolt and pretended answers: what is asked, and what is answered. */
function routed(
  run: (words: unknown, context: CommandContext) => Promise<Answer>,
  services: Partial<RoutingServices> = {},
  more: Partial<CommandRoute> = {},
) {
  const handlers = new Map<string, Handler>();
  const written: string[] = [];
  const register = (name: string, handler: Handler): void => void handlers.set(name, handler);
  const told: (Answer | undefined)[] = [];
  const order: string[] = [];
  const shown: ModalContent[] = [];
  route(
    {
      app: {
        command: register,
        use: () => undefined,
        action: (name: string | RegExp, handler: Handler) => register(wordOf(name), handler),
      } as never,
      answers: {
        reply: async (_, work) => {
          order.push('work');
          told.push((await work()).answer);
        },
        share: () => Promise.resolve(),
      },
      modals: {
        async open(_trigger, _title, fill) {
          await fill(async (content) => void shown.push(content));
          return true;
        },
        begin: () => Promise.resolve(undefined),
        change: () => Promise.resolve(),
        showSecret: () => Promise.resolve(false),
      },
      interactions: {
        put: () => Promise.resolve(undefined),
        get: () => Promise.resolve(undefined),
      },
      scrub: (text) => text,
      authorize: () => Promise.resolve(),
      requireRight: () => Promise.resolve(),
      explain: () => undefined,
      stopping: new AbortController().signal,
      logger: createLogger({
        level: 'info',
        secrets: ['top-secret'],
        destination: { write: (line) => void written.push(line) },
      }),
      ...services,
    },
    [
      {
        commands: [{ help, parse: (words) => ({ command: words }), run, ...more }],
        actions: [
          {
            actionId: 'ship.it',
            run: ({ value }) => Promise.resolve({ ...done, text: value ?? '' }),
          },
        ],
        modals: [
          {
            actionId: 'look.in',
            title: 'Cargo',
            load: ({ value = '' }) =>
              value === 'nothing'
                ? Promise.reject(new Refusal('There is nothing in it: look elsewhere.'))
                : Promise.resolve({ title: value, blocks: [] }),
          },
        ],
      },
    ],
  );
  const ack = (): Promise<void> => {
    order.push('ack');
    return Promise.resolve();
  };
  return {
    log: () => written.join(''),
    order,
    async type(text: string): Promise<Answer | undefined> {
      const body = { user_id: 'U1', team_id: 'T1', channel_id: 'C1', response_url: 'u', text };
      await handlers.get('/ship')?.({ ack, body });
      return told.at(-1);
    },
    async look(value: string): Promise<ModalContent | undefined> {
      await handlers.get('look.in')?.({ ack, body: clickOf({ type: 'button', value }) });
      return shown.at(-1);
    },
    async use(action: object): Promise<Answer | undefined> {
      await handlers.get('ship.it')?.({ ack, body: clickOf(action) });
      return told.at(-1);
    },
    press(value: string): Promise<Answer | undefined> {
      return this.use({ type: 'button', value });
    },
  };
}

/** The action that a pattern is for. */
const wordOf = (name: string | RegExp): string =>
  typeof name === 'string' ? name : (/[\w.\\]+/.exec(name.source)?.[0] ?? '').replaceAll('\\', '');

function clickOf(action: object): object {
  const who = { user: { id: 'U1' }, team: { id: 'T1' } };
  const actions = [{ action_id: 'ship.it#2', ...action }];
  return { type: 'block_actions', ...who, container: { type: 'message' }, actions };
}

const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};
const shut = { authorize: fails(new Refusal('Nobody comes in: ask the porter.')) };

describe('the router', () => {
  it('fills a modal with what was asked for, or with the sentence why not', async () => {
    const router = routed(() => Promise.resolve(done));

    expect(await router.look('barrels')).toEqual({ title: 'barrels', blocks: [] });
    expect(await router.look('nothing')).toMatchObject({
      title: 'Cargo',
      blocks: [{ text: { text: ':warning: There is nothing in it: look elsewhere.' } }],
    });
  });

  it('lets nobody look into a modal who may not come in', async () => {
    const router = routed(() => Promise.resolve(done), shut);

    expect(JSON.stringify(await router.look('barrels'))).toContain('Nobody comes in');
  });

  it('logs why, when someone is refused because something failed', async () => {
    const cause = new Error('missing_scope: users:read');
    const authorize = fails(new Refusal('Slack does not say who you are: try again.', cause));
    const router = routed(() => Promise.resolve(done), { authorize });

    expect((await router.type('cart'))?.text).toContain('Slack does not say who you are');
    expect(router.log()).toContain('missing_scope: users:read');
  });

  it('acknowledges before it does anything', async () => {
    const router = routed(() => Promise.resolve(done));

    await router.type('cart');

    expect(router.order).toEqual(['ack', 'work']);
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

  it('helps without asking anyone', async () => {
    const router = routed(fails(new Error('never')), shut);

    expect((await router.type(' Help '))?.text).toContain('*/ship* – Ships.');
    expect((await router.type('HELP me please'))?.text).toContain('*/ship*');
  });

  it.each(['?', '-h', '--help', '—help'])('helps with %s, too', async (text) => {
    const router = routed(fails(new Error('never')), shut);

    expect((await router.type(text))?.text).toContain('*/ship* – Ships.');
  });

  it('shows the way to help when it was mistyped, and nothing nearer is known', async () => {
    const said = async (suggestion?: string, typed = 'helpp'): Promise<string | undefined> =>
      (await routed(fails(new UsageError('What?', suggestion))).type(typed))?.text;

    expect(await said()).toContain('Did you mean `/ship help`?');
    expect(await said('/ship kelp')).toContain('Did you mean `/ship kelp`?');
    expect(await said(undefined, '"helpp"')).toBe(':warning: What?');
    expect(await said(undefined, 'cart')).toBe(':warning: What?');
  });

  it('takes a quoted help for a name', async () => {
    expect(await routed(() => Promise.resolve(done)).type('"help"')).toBe(done);
  });

  it('lets the command that knows all others help, with the words after it', async () => {
    const helpOn: CommandRoute['helpOn'] = (words) => ({
      ...done,
      text: words.map(({ text }) => text).join(' '),
    });
    const router = routed(fails(new Error('never')), shut, { helpOn });

    expect((await router.type('help a b'))?.text).toBe('a b');
    expect((await router.type('help'))?.text).toBe('');
  });

  it('lets nobody past who is not admitted, by command or by button', async () => {
    const router = routed(() => Promise.resolve(done), shut);

    expect((await router.type('cart'))?.text).toBe(':warning: Nobody comes in: ask the porter.');
    expect((await router.press('x'))?.text).toBe(':warning: Nobody comes in: ask the porter.');
  });

  it('writes one line for whom it refuses for who they are: who, what, and why in a word', async () => {
    const guests = fails(new Refusal('No guests: ask Ann.', undefined, 'guest'));
    const told: unknown[] = [];
    const refused = async (asked: object, why: string) => void told.push({ ...asked, why });
    const router = routed(() => Promise.resolve(done), { authorize: guests, refused });
    const lines = () => router.log().match(/A person was refused/g)?.length ?? 0;

    await router.press('x');

    expect(lines()).toBe(1);
    expect(router.log()).toContain('"user":"U1","what":"ship.it","why":"guest"');
    expect(router.log()).toContain('"level":"info"');
    expect(told).toEqual([{ userId: 'U1', what: 'ship.it', value: 'x', why: 'guest' }]);

    await router.type('cart');

    expect(lines()).toBe(2);
    expect(router.log()).toContain('"user":"U1","what":"/ship","why":"guest"');
  });

  it('writes none for a no to what was asked', async () => {
    const router = routed(fails(new Refusal('There is no cart: ask for a ship.')));

    await router.type('cart');

    expect(router.log()).toBe('');
  });

  it('gives the no all the same when it cannot be written down', async () => {
    const away = fails(new Error('no store'));
    const guests = fails(new Refusal('No guests: ask Ann.', undefined, 'guest'));
    const router = routed(() => Promise.resolve(done), { authorize: guests, refused: away });

    expect((await router.press('x'))?.text).toBe(':warning: No guests: ask Ann.');
    await expect.poll(() => router.log()).toContain('A refusal was not written down');
  });

  it('answers a button with what its route says', async () => {
    expect((await routed(() => Promise.resolve(done)).press('id-1'))?.text).toBe('id-1');
  });

  it('answers a select with what its route says about the chosen option', async () => {
    const router = routed(() => Promise.resolve(done));
    const select = { type: 'static_select', selected_option: { value: 'id-2' } };

    expect((await router.use(select))?.text).toBe('id-2');
  });

  it('answers words that cannot be read with the mistake, the nearest match and the usage', async () => {
    const answer = await routed(fails(new UsageError('No <such> word.', '/ship cart'))).type('x');

    expect(answer?.text).toBe(':warning: No &lt;such&gt; word. Did you mean `/ship cart`?');
    expect(JSON.stringify(answer?.blocks)).toContain('`/ship NAME` ships it');
    expect(JSON.stringify(answer?.blocks)).toContain('For example: `/ship cart`');
  });

  it.each(['"never closed', 'x'.repeat(5_000)])(
    'refuses %.20s… before it is read',
    async (text) => {
      const answer = await routed(fails(new Error('never'))).type(text);

      expect(JSON.stringify(answer?.blocks)).toContain('/ship NAME');
    },
  );

  it('gives an error of the platform its sentence, and logs it', async () => {
    const router = routed(fails(new Error('HTTP 503')), {
      explain: () => 'Try again in a minute.',
    });

    expect((await router.type('cart'))?.text).toBe(':warning: Try again in a minute.');
    expect(router.log()).toContain('HTTP 503');
  });

  describe('while Purser stops', () => {
    const restarting =
      ':warning: Purser is being restarted just now: please try again in a minute.';
    const stopping = AbortSignal.abort();

    it.each([
      ['a call that was ended', new Error('aborted')],
      ['a refusal by failure', new Refusal('Slack does not say who you are.', new Error('gone'))],
    ])('says so instead of %s, and logs it', async (_, error) => {
      const router = routed(fails(error), { stopping });

      expect((await router.type('cart'))?.text).toBe(restarting);
      expect(router.log()).toContain(error.cause === undefined ? 'aborted' : 'gone');
    });

    it('still gives an answer that is true then, too', async () => {
      const said = async (run: () => Promise<Answer>): Promise<string | undefined> =>
        (await routed(run, { stopping }).type('cart'))?.text;

      expect(await said(() => Promise.resolve(done))).toBe('done');
      expect(await said(fails(new Refusal('There is no cart.')))).toContain('There is no cart.');
      expect(await said(fails(new UsageError('No such word.')))).toContain('No such word.');
    });
  });

  it('is friendly about its own mistakes, and logs them without secrets', async () => {
    const router = routed(fails(new TypeError('cannot read top-secret of undefined')));

    const answer = await router.type('cart');

    expect(answer?.text).toContain('Something went wrong inside Purser');
    expect(answer?.text).not.toContain('undefined');
    expect(router.log()).toContain('"level":"error"');
    expect(router.log()).toContain('cannot read [hidden] of undefined');
  });
});
