import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const post = () =>
  workspace.client.chat
    .postMessage({ channel: CHANNEL, text: 'hello' })
    .catch((error: unknown) => error);

describe('what an admin does', () => {
  it('archives a channel, and brings it back', async () => {
    await workspace.control('archive', { channel: CHANNEL });
    const { channel } = await workspace.client.conversations.info({ channel: CHANNEL });
    expect(channel).toMatchObject({ is_archived: true });
    expect(await post()).toMatchObject({ data: { error: 'is_archived' } });

    await workspace.control('archive', { channel: CHANNEL, archived: false });
    expect(await post()).toMatchObject({ ok: true });
  });

  it('takes a scope from the app, which every answer tells', async () => {
    await workspace.control('scopes', { without: ['chat:write'] });
    const { response_metadata: about } = await workspace.client.auth.test();
    expect(about?.scopes).not.toContain('chat:write');
    expect(about?.scopes).toContain('channels:read');
    expect(await post()).toMatchObject({ data: { error: 'missing_scope', needed: 'chat:write' } });

    await workspace.control('scopes', { without: [] });
    expect(await post()).toMatchObject({ ok: true });
  });
});

it('the Date header can be ahead of the clock', async () => {
  const ahead = async () => {
    const answer = await fetch(`${workspace.slack.url}/api/api.test`);
    return Date.parse(answer.headers.get('date') ?? '') - Date.now();
  };
  await workspace.control('date', { aheadSeconds: 3_600 });
  expect((await ahead()) / 60_000).toBeCloseTo(60, 0);

  await workspace.control('date', { aheadSeconds: 0 });
  expect((await ahead()) / 60_000).toBeCloseTo(0, 0);
});
