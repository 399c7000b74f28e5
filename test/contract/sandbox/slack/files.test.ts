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

  it('are taken in the length that was announced, and in no other', async () => {
    const { client } = workspace;
    const { upload_url: url = '', file_id: id = '' } = await client.files.getUploadURLExternal({
      filename: 'cut.csv',
      length: CSV.length,
    });
    const cut = await fetch(url, { method: 'POST', body: CSV.slice(1) });
    expect(cut.status).toBe(400);
    const complete = () => client.files.completeUploadExternal({ files: [{ id, title: 'Cut' }] });
    expect(await refusal(complete())).toBe('file_not_found');
    await fetch(url, { method: 'POST', body: CSV });
    expect(await refusal(complete())).toBe('ok');
  });

  it('say what a picture shows', async () => {
    const page = await workspace.page('U0ADA');
    const altText = 'Bars by month';
    const { file_id: id = '' } = await upload('described.png', altText);
    await share(id);
    const message = await page.untilMessage(({ files }) => files[0]?.name === 'described.png');
    expect(message.files[0]).toMatchObject({ alt_text: altText, mimetype: 'image/png' });
    expect(await refusal(upload('long.png', 'x'.repeat(1_001)))).toBe('alt_txt_too_large');
  });

  it('of another kind are shared nowhere when they come with such a description', async () => {
    const { file_id: id = '' } = await upload('described.csv', 'A table');
    await share(id);
    const listed = JSON.stringify(await workspace.messages(CHANNEL));
    expect(listed).not.toContain('described.csv');
  });

  /** The client's own name for the description is not Slack's. */
  async function upload(filename: string, alt_txt: string) {
    const announced = { filename, length: CSV.length, alt_txt };
    const answer = await workspace.client.files.getUploadURLExternal(announced);
    await fetch(answer.upload_url ?? '', { method: 'POST', body: CSV });
    return answer;
  }
  const share = (id: string) =>
    workspace.client.files.completeUploadExternal({
      files: [{ id, title: 'Described' }],
      channel_id: CHANNEL,
    });
});
