import { afterAll, beforeAll, expect, it } from 'vitest';
import { BOT_TOKEN, refusal, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0BILLING';
const CSV = 'org,total\nacme,12.50\n';
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

/** Announces a file, sends its bytes if there are any, and completes it as the bot would. */
async function announce(filename: string, more: object = {}) {
  const { files } = workspace.client;
  const announced = { filename, length: CSV.length, ...more };
  const { upload_url: url = '', file_id: id = '' } = await files.getUploadURLExternal(announced);
  return {
    id,
    send: (body: string | Buffer = CSV) => fetch(url, { method: 'POST', body }),
    complete: (channel_id?: string) =>
      files.completeUploadExternal({
        files: [{ id, title: 'T' }],
        ...(channel_id && { channel_id }),
      }),
  };
}

it('a file goes the three steps of an external upload and appears in the channel', async () => {
  const page = await workspace.page('U0ADA');
  const about = { title: 'Charges of October' };
  await workspace.client.filesUploadV2({
    channel_id: CHANNEL,
    initial_comment: 'Here are the charges',
    filename: 'charges.csv',
    content: CSV,
    ...about,
  });

  const message = await page.untilMessage(({ files }) => files.length === 1);

  expect(message).toMatchObject({ channel: CHANNEL, text: 'Here are the charges' });
  const [file] = message.files;
  const expected = { name: 'charges.csv', mimetype: 'text/csv', size: CSV.length, ...about };
  expect(file).toMatchObject(expected);
  expect(await (await fetch(workspace.slack.url + file?.url)).text()).toBe(CSV);
});

it('raw bytes are taken too, and open to the bot by its token alone', async () => {
  const { files } = workspace.client;
  const bytes = Buffer.from([0, 255, 128, 10]);
  const { id, send, complete } = await announce('raw.bin', { length: bytes.length });
  expect(await refusal(files.info({ file: id }))).toBe('file_not_found');
  expect(await (await send(bytes)).text()).toBe('OK - 4');
  await complete();

  const { file } = await files.info({ file: id });

  expect(file).toMatchObject({ title: 'T', size: 4, is_public: false });
  const read = (token: string) =>
    fetch(file?.url_private ?? '', { headers: { authorization: `Bearer ${token}` } });
  expect((await read('wrong')).status).toBe(403);
  expect(Buffer.from(await (await read(BOT_TOKEN)).arrayBuffer())).toEqual(bytes);
});

it('a file is refused in a channel without the bot, and when nothing was uploaded', async () => {
  const file = { channel_id: 'C0RANDOM', filename: 'charges.csv', content: CSV };

  expect(await refusal(workspace.client.filesUploadV2(file))).toBe('not_in_channel');
  expect(await refusal((await announce('never.csv')).complete())).toBe('file_not_found');
});

it('a file is taken in the announced length, and in no other', async () => {
  const { send, complete } = await announce('cut.csv');

  expect((await send(CSV.slice(1))).status).toBe(400);
  expect(await refusal(complete())).toBe('file_not_found');
  await send();
  expect(await refusal(complete())).toBe('ok');
});

it('a description is for pictures: it is shown with them, and keeps other files from the channel', async () => {
  const page = await workspace.page('U0ADA');
  for (const name of ['described.csv', 'described.png']) {
    // The client's own name for the description is not Slack's.
    const { send, complete } = await announce(name, { alt_txt: 'Bars by month' });
    await send();
    await complete(CHANNEL);
  }

  const { files } = await page.untilMessage(({ files }) => files[0]?.name === 'described.png');

  expect(files).toMatchObject([{ alt_text: 'Bars by month', mimetype: 'image/png' }]);
  expect(JSON.stringify(await workspace.messages(CHANNEL))).not.toContain('described.csv');
  const long = announce('long.png', { alt_txt: 'x'.repeat(1_001) });
  expect(await refusal(long)).toBe('alt_txt_too_large');
});
