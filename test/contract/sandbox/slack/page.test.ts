import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const say = (user: string, text: string, more: object = {}) =>
  workspace.act('message', { user, channel: CHANNEL, text, ...more });

it.each([
  ['U0ADA', ['deployments', 'approvals', 'billing', 'ops', 'random', 'finance-private', 'Purser']],
  ['U0EVE', ['deployments', 'random', 'Purser']],
])('the page of %s starts with the channels that this person may see', async (user, names) => {
  const { channels, can_act_as: people, ...boot } = await workspace.bootstrap(user);

  expect(channels.map(({ name }) => name)).toEqual(names);
  expect(boot).toMatchObject({ user, platform: false, views: [], home: null });
  for (const other of ['U0GUS', 'U0PURSER']) expect(people).not.toContain(other);
});

it('private channels stay private', async () => {
  const [ada, dana] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0DANA')]);
  await workspace.act('message', { user: 'U0ADA', channel: 'C0FINANCE', text: 'hush' });
  await ada.untilMessage(({ text }) => text === 'hush');
  await say('U0ADA', 'aloud');
  await dana.untilMessage(({ text }) => text === 'aloud');

  expect(JSON.stringify(dana.events)).not.toContain('hush');
  const read = await workspace.read('/page/messages?user=U0DANA&channel=C0FINANCE');
  expect(read).toEqual({ ok: false, error: 'channel_not_found' });
});

it.each(['U0NOBODY', 'U0GUS', 'U0PURSER'])('%s cannot use a page', async (user) => {
  expect(await say(user, 'hello')).toEqual({ ok: false, error: 'user_not_found' });
});
