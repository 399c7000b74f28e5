import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOT_TOKEN, refusal, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0BILLING';
const CSV = 'org,total\nacme,12.50\n';
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

describe('files', () => {
  it('travel by the three steps of an external upload and appear in the channel', async () => {
    const page = await workspace.page('U0ADA');
    await workspace.client.filesUploadV2({
      channel_id: CHANNEL,
      initial_comment: 'Here are the charges',
      filename: 'charges.csv',
      title: 'Charges of October',
      content: CSV,
    });
    const message = await page.untilMessage(({ files }) => files.length === 1);
    expect(message).toMatchObject({ channel: CHANNEL, text: 'Here are the charges' });
    const [file] = message.files;
    expect(file).toMatchObject({
      name: 'charges.csv',
      title: 'Charges of October',
      mimetype: 'text/csv',
      size: CSV.length,
    });
    const download = await fetch(workspace.slack.url + file?.url);
    expect(await download.text()).toBe(CSV);
  });

  it('take raw bytes too, and open to the bot by its token alone', async () => {
    const { client } = workspace;
    const bytes = Buffer.from([0, 255, 128, 10]);
    const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
      filename: 'raw.bin',
      length: bytes.length,
    });
    expect(await refusal(client.files.info({ file: id }))).toBe('file_not_found');
    const sent = await fetch(url, { method: 'POST', body: bytes });
    expect(await sent.text()).toBe('OK - 4');
    await client.files.completeUploadExternal({ files: [{ id, title: 'Raw' }] });
    const { file } = await client.files.info({ file: id });
    expect(file).toMatchObject({ title: 'Raw', size: 4, is_public: false });
    const read = (authorization: string) =>
      fetch(file?.url_private ?? '', { headers: { authorization } });
    expect((await read('Bearer wrong')).status).toBe(403);
    const own = await read(`Bearer ${BOT_TOKEN}`);
    expect(Buffer.from(await own.arrayBuffer())).toEqual(bytes);
  });

  it('are refused where the bot cannot post, and when nothing was uploaded', async () => {
    const { client } = workspace;
    const upload = client.filesUploadV2({
      channel_id: 'C0RANDOM',
      filename: 'charges.csv',
      content: CSV,
    });
    expect(await refusal(upload)).toBe('not_in_channel');
    const { file_id: id = '' } = await client.files.getUploadURLExternal({
      filename: 'never.csv',
      length: 10,
    });
    const complete = client.files.completeUploadExternal({ files: [{ id, title: 'Never' }] });
    expect(await refusal(complete)).toBe('file_not_found');
  });
});
