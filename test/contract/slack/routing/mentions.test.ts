import { describe, expect, it } from 'vitest';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { Refusal, UsageError } from '../../../../src/lib/errors.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { writtenIn } from '../../../../src/slack/routing/mentions.ts';
import type {
  CommandContext,
  CommandRoute,
  FormRoute,
} from '../../../../src/slack/routing/routes.ts';
import { signedHeaders } from '../../../support/http.ts';
import { until } from '../../../support/until.ts';
import { ADA, buttonsOf, CHANNEL, openSlackHarness, type Message } from '../harness.ts';
import { form, isFilled, said, sum } from './form-support.ts';

const DIRECT = 'D0ADA';
const BOT = '@Purser';

const customize: FormRoute = {
  actionId: 'customize',
  callbackId: 'customized',
  title: 'Customize',
  fill: (_, show) => show(form(['acme'])),
  submit: () => ({ answer: () => Promise.resolve(sum('Another sum')) }),
};

const overview: CommandRoute = {
  help: {
    command: '/purser',
    summary: 'Help.',
    usages: [{ text: '/purser whoami', does: 'says who you are' }],
    examples: ['/purser whoami'],
  },
  helpOn: () => Promise.resolve({ blocks: [section(mrkdwn`All commands`)] }),
  parse: (words) => ({ command: words.map(({ text }) => text).join(' ') }),
  run: (command) => Promise.resolve({ blocks: [section(mrkdwn`Overview ${String(command)}`)] }),
};

/** A harness for mentions and the answers to them. */
async function written(parts: Parameters<typeof openSlackHarness>[0] = {}) {
  const asked: { words: unknown; context: CommandContext }[] = [];
  const charges: CommandRoute = {
    help: { command: '/usage', summary: 'Use.', usages: [], examples: ['/usage today'] },
    parse: (words) => {
      const [first] = words;
      if (first?.text === 'form') return { form: customize, value: 'given' };
      if (first?.text === 'wrong') throw new UsageError('No such word.', '/usage today');
      return { command: words.map(({ text }) => text) };
    },
    run: async (words, context) => {
      asked.push({ words, context });
      return { blocks: [section(mrkdwn`Used ${asked.length}`)], shareable: true };
    },
  };
  const harness = await openSlackHarness({
    commands: [overview, charges],
    forms: [customize],
    ...parts,
  });
  const write = (text: string, place: { channel?: string; thread_ts?: string } = {}) =>
    harness.post('/page/message', { user: ADA, channel: CHANNEL, ...place, text });
  const answer = (channel = CHANNEL): Promise<Message> =>
    harness.untilMessage('an answer', (one) => one.by_app, channel);
  return { ...harness, asked, write, answer };
}

describe('a mention', () => {
  it('takes a command without its slash, and answers in private', async () => {
    const { write, answer, asked } = await written();
    await write(`${BOT} usage last month`);

    expect(await answer()).toMatchObject({ text: 'Used 1', ephemeral_to: ADA });
    expect(asked).toMatchObject([
      { words: ['last', 'month'], context: { channelId: CHANNEL, person: { userId: ADA } } },
    ]);
  });

  it('takes the slash, too, and reads the typed words: code, quotes, links, e-mails and signs', async () => {
    const { write, answer, asked } = await written();
    await write(`${BOT}: \`/usage “a b” x@acme.example a&b<c https://acme.example/x\``);

    await answer();
    expect(asked[0]?.words).toEqual(['a b', 'x@acme.example', 'a&b<c', 'https://acme.example/x']);
  });

  it('in a thread is answered there, and shared there', async () => {
    const { client, write, press, untilMessage } = await written();
    const { ts = '' } = await client.chat.postMessage({ channel: CHANNEL, text: 'A card' });
    await write(`${BOT} usage`, { thread_ts: ts });

    const answer = await untilMessage('an answer', ({ text }) => text === 'Used 1');
    expect(answer).toMatchObject({ ephemeral_to: ADA, thread_ts: ts });
    await press(answer, 'Share');
    const shared = await untilMessage(
      'it',
      (one) => one.text.startsWith('Used 1') && !one.ephemeral_to,
    );
    expect(shared).toMatchObject({ thread_ts: ts, ephemeral_to: null });
    expect(said(shared)).toContain(`Shared by <@${ADA}>`);
  });

  it('of a form has one button that opens it', async () => {
    const { write, answer, press, view } = await written();
    await write(`${BOT} usage form`);

    const offered = await answer();
    expect(buttonsOf(offered)).toEqual(['Open the form']);
    await press(offered, 'Open the form');
    await view('the form', isFilled);
  });

  it.each([
    ['usgae today', 'I don’t know `usgae`. Did you mean `/usage today`?', 'Run it'],
    ['usage wrong', 'No such word. Did you mean `/usage today`?', 'Run it'],
    ['usgae wrong', 'No such word. Did you mean `/usage today`?', 'Run it'],
  ])('that is nearly a command gets a suggestion: %s', async (text, sentence, name) => {
    const { write, answer, press, untilMessage } = await written();
    await write(`${BOT} ${text}`);

    const mistaken = await answer();
    expect(mistaken).toMatchObject({ text: sentence, ephemeral_to: ADA });
    await press(mistaken, name);
    await untilMessage('the answer of the suggestion', (one) => one.text === 'Used 1');
  });

  it.each([
    ['a greeting before it', 'hey <@U0BOT> usage today', 'usage today'],
    ['the words before it', 'usage today <@U0BOT>', 'usage today'],
    ['another person after it', '<@U0BOT> usage <@U0DANA>', 'usage <@U0DANA>'],
  ])('has %s', (_where, text, words) => {
    const event = { type: 'app_mention', user: 'U1', channel: 'C1', text };
    expect(writtenIn(event, 'T1')?.text).toBe(words);
  });

  it('that is no command gets the overview, as an empty one does', async () => {
    for (const text of ['', 'what did the shop cost?']) {
      const { write, answer } = await written();
      await write(`${BOT} ${text}`);
      expect((await answer()).text).toBe('Overview');
    }
  });

  it('of whoami and help needs no command before it', async () => {
    const { write, untilMessage } = await written();
    await write(`${BOT} whoami`);
    await untilMessage('who', ({ text }) => text === 'Overview whoami');
    await write(`${BOT} Help`);
    const help = await untilMessage('help', ({ text }) => text === 'All commands');

    expect(help.ephemeral_to).toBe(ADA);
  });

  it('by a person that the bot does not admit is refused in private', async () => {
    const { write, answer } = await written({
      services: { authorize: () => Promise.reject(new Refusal('You are a guest.')) },
    });
    await write(`${BOT} usage`);

    expect(await answer()).toMatchObject({ text: 'You are a guest.', ephemeral_to: ADA });
  });

  it('counts as a command for the limit of a person', async () => {
    const { write, answer } = await written({ limit: async () => 'Go on in 1 min.' });
    await write(`${BOT} usage`);

    expect(await answer()).toMatchObject({ text: 'Go on in 1 min.', ephemeral_to: ADA });
  });
});

describe('a direct message', () => {
  it('takes the same words, with a mention or without', async () => {
    const { write, untilMessage, asked } = await written();
    await write('usage today', { channel: DIRECT });
    await untilMessage('an answer', ({ text }) => text === 'Used 1', DIRECT);
    await write(`${BOT} usage today`, { channel: DIRECT });
    const second = await untilMessage('another', ({ text }) => text === 'Used 2', DIRECT);

    expect(second).toMatchObject({ ephemeral_to: null });
    expect(asked.map(({ words }) => words)).toEqual([['today'], ['today']]);
  });

  it.each(['file_share', 'thread_broadcast'])('is one as %s, too', (subtype) => {
    const event = { subtype, user: 'U1', channel: 'D1', channel_type: 'im', text: 'usage' };
    expect(writtenIn(event, 'T1')?.text).toBe('usage');
  });

  it('of the bot itself, as a file that it uploads, is not answered', async () => {
    const { requestUrl, messages, write, answer } = await written();
    const event = {
      type: 'message',
      subtype: 'file_share',
      user: 'UBOT',
      channel: DIRECT,
      channel_type: 'im',
      text: 'usage',
      files: [{ id: 'F1' }],
      ts: '1.1',
    };
    const send = async (change: object): Promise<void> => {
      const body = JSON.stringify({
        type: 'event_callback',
        team_id: 'T1',
        event_id: JSON.stringify(change),
        event: { ...event, ...change },
      });
      const headers = signedHeaders(CREDENTIALS.signingSecret, body);
      const type = { 'content-type': 'application/json' };
      await fetch(requestUrl, { method: 'POST', headers: { ...headers, ...type }, body });
    };
    await send({});
    await write('whoami', { channel: DIRECT });
    expect(await answer(DIRECT)).toMatchObject({ text: 'Overview whoami' });

    await send({ user: ADA });
    const own = await until(
      'the answer to the file of a person',
      async () => (await messages(DIRECT)).filter(({ by_app: isBots }) => isBots)[1],
    );
    expect(own.text).toBe('Used 1');
  });

  it('without a command gets the overview', async () => {
    const { write, answer } = await written();
    await write('hello', { channel: DIRECT });

    expect((await answer(DIRECT)).text).toBe('Overview');
  });
});

it.each([
  ['a bot', { bot_id: 'B1', user: 'U0X', channel: 'D1', channel_type: 'im', text: 'usage' }],
  ['an edit', { subtype: 'message_changed', channel: 'D1', channel_type: 'im' }],
  ['an edited mention', { type: 'app_mention', edited: {}, user: 'U1', channel: 'C1', text: 'x' }],
  [
    'a mention that comes as a direct message, too',
    { type: 'app_mention', user: 'U1', channel: 'D1' },
  ],
  ['a message in a channel without a mention', { type: 'message', user: 'U1', channel: 'C1' }],
])('is not answered: %s', (_, event) => {
  expect(writtenIn(event, 'T1')).toBeUndefined();
});
