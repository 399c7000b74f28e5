import { getEventListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { createSendFile, type Upload } from '../../../../src/slack/files.ts';
import * as fc from '../../../support/fast-check.ts';
import { listen } from '../../../support/http.ts';
import { recorded } from '../../../support/metrics.ts';
import { hostile } from '../../../unit/slack/hostile.ts';
import { ADA, createSlackHarness } from '../harness.ts';

const DIRECT = 'D0ADA';
const CSV = 'org,total\r\nacme,12.50\r\nglöbex,0\r\n';

const { signal: never } = new AbortController();

const csv = (more: Partial<Upload> = {}): Upload => ({
  userId: ADA,
  filename: 'charges.csv',
  title: 'Charges of October',
  comment: 'Here are the *charges*.',
  content: CSV,
  ...more,
});

async function* inChunks(...chunks: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

/** The sentence of a refusal. */
async function refusalOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  return 'sent';
}

describe('a file for a person', () => {
  let harness: Awaited<ReturnType<typeof createSlackHarness>>;
  beforeAll(async () => {
    harness = await createSlackHarness({});
  });
  afterEach(() => harness.faults());
  afterAll(() => harness.close());

  const send = (upload: Upload) =>
    createSendFile({ slack: harness.client, stopping: never })(upload);

  it('is three calls in the metrics, or those up to the one that failed', async () => {
    const methods = ['files.getUploadURLExternal', 'upload_url', 'files.completeUploadExternal'];
    const counts = (result: string) =>
      Promise.all(
        methods.map(
          async (method) =>
            (await recorded('purser_slack_request_seconds', { method, result })) ?? 0,
        ),
      );
    const [ok, failed] = [await counts('ok'), await counts('error')];
    await send(csv());
    await harness.faults({
      method: 'files.completeUploadExternal',
      kind: 'error',
      error: 'storage_limit_reached',
    });
    await refusalOf(send(csv()));

    expect(await counts('ok')).toEqual(ok.map((count, at) => count + (at < 2 ? 2 : 1)));
    expect(await counts('error')).toEqual(failed.map((count, at) => count + (at < 2 ? 0 : 1)));
  });

  it('lies in their messages with the bot, and its address leads to it', async () => {
    const address = await send(csv());

    const [message] = (await harness.messages(DIRECT)).slice(-1);
    expect(message).toMatchObject({
      text: 'Here are the *charges*.',
      ephemeral_to: null,
      files: [{ name: 'charges.csv', title: 'Charges of October' }],
    });
    const downloaded = await fetch(address ?? '');
    expect(await downloaded.text()).toBe(CSV);
  });

  it.each<[string, Upload['content']]>([
    ['bytes', Buffer.from(CSV)],
    ['chunks', inChunks(CSV.slice(0, 7), CSV.slice(7, 8), CSV.slice(8))],
  ])('may come as %s', async (_, content) => {
    const downloaded = await fetch((await send(csv({ content }))) ?? '');

    expect(await downloaded.text()).toBe(CSV);
  });

  it('may be a picture with an alternative text; other files have none', async () => {
    const described = { altText: 'Bars by month', content: Buffer.from([137, 80, 78, 71]) };
    await send(csv({ ...described, filename: 'chart.png' }));
    await send(csv({ ...described, filename: 'charges.csv' }));

    const asked = await harness.requests('files.getUploadURLExternal');
    expect(asked.slice(-2).map(({ args }) => args['alt_txt'])).toEqual([
      'Bars by month',
      undefined,
    ]);
    expect((await harness.messages(DIRECT)).slice(-2).map(({ files }) => files[0]?.name)).toEqual([
      'chart.png',
      'charges.csv',
    ]);
  });

  it('is not begun when its content fails, and the error is unchanged', async () => {
    const before = await asked();
    const broken = new Error('the platform hung up');

    await expect(send(csv({ content: inChunks(CSV, broken) }))).rejects.toBe(broken);
    expect(await refusalOf(send(csv({ content: '' })))).toContain('there is nothing in it');
    expect(await refusalOf(send(csv({ content: inChunks() })))).toContain('there is nothing in it');
    expect(await asked()).toBe(before);
  });

  it('is not begun when it is too large, and its content has to end', async () => {
    const before = await asked();
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = new Uint8Array(1024 * 1024);
      try {
        for (;;) yield chunk;
      } finally {
        ended = true;
      }
    }

    expect(await refusalOf(send(csv({ content: endless() })))).toContain('larger than 64 MB');
    expect(ended).toBe(true);
    expect(await asked()).toBe(before);
  });

  it.each([
    ['files.getUploadURLExternal', 'missing_scope', 'the scope files:write'],
    ['files.getUploadURLExternal', 'file_uploads_disabled', 'takes no files'],
    ['files.getUploadURLExternal', 'file_type_not_allowed', 'files of this kind'],
    ['files.getUploadURLExternal', 'some_new_error', '(some_new_error)'],
    ['files.getUploadURLExternal', 'ratelimited', 'try again in a minute'],
    ['conversations.open', 'user_disabled', 'switched off'],
    ['files.completeUploadExternal', 'not_in_channel', 'cannot write to your messages'],
    ['files.completeUploadExternal', 'internal_error', 'look into your messages'],
  ])('that Slack refuses in %s with %s is one sentence', async (method, error, sentence) => {
    await harness.faults({ method, kind: 'error', error });
    const before = (await harness.messages(DIRECT)).length;

    expect(await refusalOf(send(csv()))).toContain(sentence);
    expect(await harness.messages(DIRECT)).toHaveLength(before);
  });

  it('that comes too often names the time to wait, and a lost answer the file to look for', async () => {
    await harness.faults({
      method: 'files.getUploadURLExternal',
      kind: 'ratelimit',
      retryAfter: 7,
    });
    expect(await refusalOf(send(csv()))).toContain('try again in 7 seconds');

    await harness.faults({ method: 'files.completeUploadExternal', kind: 'reset-after' });
    expect(await refusalOf(send(csv()))).toContain('look into your messages');
  });

  it('arrives whatever its name, its title and its words are', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (filename, title, comment) => {
        await send(csv({ filename: `${filename}.csv`, title, comment, altText: comment }));

        const [message] = (await harness.messages(DIRECT)).slice(-1);
        const [file] = message?.files ?? [];
        expect(file?.name).toMatch(/^[^\s/\\<>&"*?|:.-][^\s/\\<>&"*?|:]*\.csv$/);
        expect(file?.title).toMatch(/^[^<>\n]+$/);
        expect(message?.text.replace(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[<>&]/);
      }),
      { numRuns: 60 },
    );
  });

  const asked = async (): Promise<number> =>
    (await harness.requests('files.getUploadURLExternal')).length +
    (await harness.requests('conversations.open')).length;
});

describe('the bytes of a file', () => {
  let slack: Awaited<ReturnType<typeof listen>>;
  let url: string;
  /** The address for the bytes, and the answer of that server. */
  let address: string;
  let answer: { status: number; location?: string };
  /** Runs when the bytes have arrived, and decides whether the server answers. */
  let arrived: () => 'answered' | 'left waiting';
  let received: { headers: IncomingHttpHeaders; body: string; method: string }[];

  beforeAll(async () => {
    slack = await listen(({ url: path, headers }, response, body) => {
      const method = path?.replace('/api/', '') ?? '';
      received.push({ headers, body, method });
      if (method === '/upload') {
        if (arrived() === 'left waiting') return;
        const { status, ...more } = answer;
        response.writeHead(status, more).end();
        return;
      }
      const reported = { ok: true, channel: { id: DIRECT }, file_id: 'F1', upload_url: address };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reported));
    });
    url = slack.url;
  });
  beforeEach(() => {
    received = [];
    address = `${url}/upload`;
    answer = { status: 200 };
    arrived = () => 'answered';
  });
  afterAll(() => slack.close());

  const send = (stopping = never) => {
    const client = new WebClient('xoxb-token', {
      slackApiUrl: `${url}/api/`,
      retryConfig: { retries: 0 },
    });
    return createSendFile({ slack: client, stopping })(
      csv({ content: inChunks(CSV.slice(0, 9), CSV.slice(9)) }),
    );
  };
  const methods = () => received.map(({ method }) => method);

  it('go in one piece of a stated length, without the token', async () => {
    await send();

    const upload = received.find(({ method }) => method === '/upload');
    expect(upload).toMatchObject({
      body: CSV,
      headers: { 'content-length': String(Buffer.byteLength(CSV)) },
    });
    expect(upload?.headers).not.toHaveProperty('transfer-encoding');
    expect(upload?.headers).not.toHaveProperty('authorization');
  });

  it('go to no address that is not Slack’s, and nothing is posted then', async () => {
    address = `${url.replace('127.0.0.1', 'localhost')}/upload`;

    expect(await refusalOf(send())).toContain('did not reach Slack');
    expect(methods()).toEqual(['conversations.open', 'files.getUploadURLExternal']);
  });

  it.each([
    ['an error', { status: 500 }],
    ['a way to elsewhere', { status: 303, location: '/elsewhere' }],
  ])('that meet %s are not posted', async (_, met) => {
    answer = met;

    expect(await refusalOf(send())).toContain('did not reach Slack: please try again');
    expect(methods()).not.toContain('files.completeUploadExternal');
    expect(methods()).not.toContain('/elsewhere');
  });

  it('are given up when the process is asked to stop, also before they go', async () => {
    const stopping = new AbortController();
    arrived = () => {
      stopping.abort();
      return 'left waiting';
    };

    expect(await refusalOf(send(stopping.signal))).toContain('did not reach Slack');
    expect(methods().at(-1)).toBe('/upload');
    received = [];
    expect(await refusalOf(send(stopping.signal))).toContain('did not reach Slack');
    expect(methods()).toEqual(['conversations.open', 'files.getUploadURLExternal']);
  });

  it('leave nothing behind on what would stop them', async () => {
    const { signal } = new AbortController();

    await send(signal);
    answer = { status: 500 };
    await refusalOf(send(signal));

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
