import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { createReadFile } from '../../../../src/slack/files.ts';
import { listen } from '../../../support/http.ts';
import { ADA, createSlackHarness } from '../harness.ts';

const BEA = 'U0BEA';

/** The text of a file, or the sentence of a refusal. */
async function reported(reading: Promise<string>): Promise<string> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

describe('a file that a person put into a form', () => {
  let harness: Awaited<ReturnType<typeof createSlackHarness>>;
  beforeAll(async () => {
    harness = await createSlackHarness({});
  });
  afterEach(() => harness.faults());
  afterAll(() => harness.close());

  const upload = async (content: string | Uint8Array, user = ADA): Promise<string> => {
    const answer = await fetch(`${harness.slackUrl}/page/upload?user=${user}&name=web.yaml`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(content),
    });
    return ((await answer.json()) as { file: { id: string } }).file.id;
  };
  const read = (id: string, user = ADA, token: string = CREDENTIALS.botToken) =>
    reported(
      createReadFile(
        new WebClient(token, {
          slackApiUrl: `${harness.slackUrl}/api/`,
          retryConfig: { retries: 0 },
        }),
      )(id, user),
    );

  it('is read with the token of the bot', async () => {
    expect(await read(await upload('name: wöb\n'))).toBe('name: wöb\n');
    expect(await read(await upload('a: 1'), ADA, 'xoxb-other')).toContain(
      'Slack did not hand out the file',
    );
  });

  it('is not read for another person', async () => {
    const id = await upload('a: 1');

    expect(await read(id, BEA)).toContain('does not find this file among yours');
    expect(await read('F0NOWHERE')).toContain('does not find this file among yours');
  });

  it('is no more than 512 KB of UTF-8', async () => {
    expect(await read(await upload('x'.repeat(512 * 1024)))).toHaveLength(512 * 1024);
    expect(await read(await upload('x'.repeat(512 * 1024 + 1)))).toContain('larger than 512 KB');
    expect(await read(await upload(Buffer.from([0xff, 0xfe, 0x61, 0x00])))).toContain(
      'is no UTF-8 text',
    );
  });

  it.each([
    ['missing_scope', 'give it the scope files:read. Until then paste the manifest'],
    ['file_not_found', 'does not find this file among yours'],
    ['ratelimited', 'try again in a minute'],
    ['internal_error', 'or paste the manifest in place of it'],
  ])('that Slack refuses with %s is one sentence', async (error, sentence) => {
    const id = await upload('a: 1');
    await harness.faults({ method: 'files.info', kind: 'error', error });

    expect(await read(id)).toContain(sentence);
  });
});

describe('the address of a file', () => {
  let asked: IncomingMessage[] = [];
  const serve = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const { url, close } = await listen((request, response) => {
      asked.push(request);
      answer(response);
    });
    onTestFinished(close);
    asked = [];
    return url;
  };
  const describedAs = (file: object, slackApiUrl: string) =>
    new WebClient(CREDENTIALS.botToken, {
      slackApiUrl,
      retryConfig: { retries: 0 },
      fetch: () => Promise.resolve(Response.json({ ok: true, file: { user: ADA, ...file } })),
    });
  const read = (file: object, apiUrl: string) =>
    reported(createReadFile(describedAs(file, apiUrl))('F1', ADA));

  it('is used only where Slack names this person as its owner', async () => {
    const slack = await serve((response) => response.end('a: 1'));
    const file = { url_private: `${slack}/f` };

    expect(await read({ ...file, user: BEA }, `${slack}/api/`)).toContain('among yours');
    expect(await read({ ...file, user: undefined }, `${slack}/api/`)).toContain('among yours');
    expect(asked).toHaveLength(0);
    expect(await read(file, `${slack}/api/`)).toBe('a: 1');
  });

  it('is not used for a file that is announced too large', async () => {
    const slack = await serve((response) => response.end('a: 1'));
    const file = { url_private: `${slack}/f` };

    expect(await read({ ...file, size: 512 * 1024 + 1 }, `${slack}/api/`)).toContain(
      'larger than 512 KB',
    );
    expect(asked).toHaveLength(0);
    expect(await read({ ...file, size: 512 * 1024 }, `${slack}/api/`)).toBe('a: 1');
  });

  it('is used on the origin of Slack alone', async () => {
    const elsewhere = await serve((response) => response.end('a: 1'));
    const file = { url_private_download: `${elsewhere}/files-pri/T1-F1/web.yaml` };

    expect(await read(file, 'https://slack.com/api/')).toContain('Slack did not hand out the file');
    expect(asked).toHaveLength(0);
    expect(await read(file, `${elsewhere}/api/`)).toBe('a: 1');
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${CREDENTIALS.botToken}`);
    expect(await read({ url_private: `${elsewhere}/f` }, `${elsewhere}/api/`)).toBe('a: 1');
    expect(await read({}, `${elsewhere}/api/`)).toContain('Slack did not hand out the file');
  });

  it('is not left for another one, and the page to sign in is no file', async () => {
    const away = await serve((response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });

    expect(await read({ url_private: `${away}/f` }, `${away}/api/`)).toContain('files:read');
    expect(asked).toHaveLength(1);
    const door = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>');
    });
    expect(await read({ url_private: `${door}/f` }, `${door}/api/`)).toContain('files:read');
  });

  it('that sends more than it said is left', async () => {
    const endless = await serve((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });

    expect(await read({ size: 5, url_private: `${endless}/f` }, `${endless}/api/`)).toContain(
      'larger than 512 KB',
    );
  });

  it('that breaks off is one sentence', async () => {
    const broken = await serve((response) => response.destroy());

    expect(await read({ url_private: `${broken}/f` }, `${broken}/api/`)).toContain(
      'Slack did not hand out the file',
    );
  });
});
