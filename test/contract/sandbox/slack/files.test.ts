import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal, startWorkspace, type TestWorkspace } from './support.ts';

const CSV = 'org,total\nacme,12.50\n';
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

/** Announces a file, sends its bytes, and completes it as the bot would. */
async function announce(filename: string) {
  const { files } = workspace.client;
  const announced = { filename, length: CSV.length };
  const { upload_url: url = '', file_id: id = '' } = await files.getUploadURLExternal(announced);
  return {
    send: (body = CSV) => fetch(url, { method: 'POST', body }),
    complete: () => files.completeUploadExternal({ files: [{ id, title: 'T' }] }),
  };
}

it('a file is taken in the announced length, and in no other', async () => {
  const { send, complete } = await announce('cut.csv');

  expect((await send(CSV.slice(1))).status).toBe(400);
  expect(await refusal(complete())).toBe('file_not_found');
  await send();
  expect(await refusal(complete())).toBe('ok');
});
