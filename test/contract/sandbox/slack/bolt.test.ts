import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type Mode, type RunningApp } from './bolt-app.ts';
import { button, plain, section, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
const ADA = { user: 'U0ADA', channel: CHANNEL };

const modal = (more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'request',
  title: plain('Request'),
  submit: plain('Send'),
  notify_on_close: true,
  blocks: [
    {
      type: 'input',
      block_id: 'amount',
      label: plain('Amount'),
      element: { type: 'plain_text_input', action_id: 'value' },
    },
  ],
  ...more,
});
const typed = (value: string) => ({ amount: { value: { type: 'plain_text_input', value } } });

describe.each<Mode>(['http', 'socket'])('a Bolt app over %s', (mode) => {
  let workspace: TestWorkspace;
  let running: RunningApp;

  beforeEach(async () => {
    workspace = await startWorkspace();
    running = await startApp(workspace, mode);
  });
  afterEach(async () => {
    await running.stop();
    await workspace.close();
  });

  it('answers a command through its response_url', async () => {
    running.app.command('/deployments', async ({ ack, command, respond }) => {
      await ack();
      await respond(`you said: ${command.text}`);
      await respond({ response_type: 'in_channel', text: 'everyone hears' });
    });
    const [ada, ben] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0BEN')]);
    await workspace.act('command', { ...ADA, text: '/deployments shop for @ben in #ops' });
    const answer = await ada.untilMessage(({ text }) => text.startsWith('you said'));
    expect(answer).toMatchObject({
      text: 'you said: shop for <@U0BEN|ben> in <#C0OPS|ops>',
      ephemeral: true,
    });
    await ben.untilMessage(({ text }) => text === 'everyone hears');
    expect(JSON.stringify(ben.events)).not.toContain('you said');
    expect(await workspace.deliveries()).toMatchObject([
      { via: mode, kind: 'command', name: '/deployments', ok: true },
    ]);
  });

  it('answers a command in the acknowledgement itself', async () => {
    running.app.command('/deployments', ({ ack }) => ack({ text: 'at once' }));
    const page = await workspace.page('U0ADA');
    await workspace.act('command', { ...ADA, text: '/deployments' });
    expect(await page.untilMessage(({ text }) => text === 'at once')).toMatchObject({
      ephemeral: true,
    });
  });

  it('opens a modal, refuses an entry, updates it and lets it go', async () => {
    const { app } = running;
    app.command('/deployments', async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: modal() });
    });
    app.view('request', async ({ ack, view }) => {
      const amount = view.state.values['amount']?.['value']?.value;
      if (amount === '13') await ack({ response_action: 'errors', errors: { amount: 'Not that' } });
      else if (amount === '1')
        await ack({ response_action: 'update', view: modal({ title: plain('Sure?') }) });
      else if (amount === '2')
        await ack({ response_action: 'push', view: modal({ title: plain('More') }) });
      else if (amount === '3') await ack({ response_action: 'clear' });
      else await ack();
    });
    const page = await workspace.page('U0ADA');
    await workspace.act('command', { ...ADA, text: '/deployments' });
    const { stack } = await page.until('views', ({ cause }) => cause === 'opened');
    const viewId = stack[0]?.id ?? '';
    const submit = (view_id: string, value: string) =>
      workspace.act('view/submit', { user: 'U0ADA', view_id, values: typed(value) });

    expect(await submit(viewId, '')).toMatchObject({
      errors: { amount: 'Please complete this required field.' },
    });
    expect(await submit(viewId, '13')).toEqual({ ok: true, errors: { amount: 'Not that' } });
    expect(await submit(viewId, '1')).toEqual({ ok: true });
    const updated = await page.until('views', ({ cause }) => cause === 'updated');
    expect(updated.stack).toMatchObject([{ id: viewId, title: 'Sure?' }]);
    expect(await submit(viewId, '2')).toEqual({ ok: true });
    const pushed = await page.until('views', ({ cause }) => cause === 'pushed');
    expect(pushed.stack).toMatchObject([{ title: 'Sure?' }, { title: 'More' }]);
    expect(await submit(pushed.view_id, '4')).toEqual({ ok: true });
    const popped = await page.until('views', ({ cause }) => cause === 'closed');
    expect(popped.stack).toMatchObject([{ id: viewId }]);
    expect(await submit(viewId, '3')).toEqual({ ok: true });
    await page.until('views', ({ stack: left }) => left.length === 0);
    expect(await submit(viewId, '4')).toEqual({ ok: false, error: 'view_not_found' });
  });

  it('replaces and deletes the ephemeral message whose button was pressed', async () => {
    const { app } = running;
    app.command('/deployments', ({ ack }) =>
      ack({
        text: 'private',
        blocks: [
          {
            type: 'actions',
            block_id: 'row',
            elements: [button('More', 'more', '7'), button('Bye', 'bye')],
          },
        ],
      }),
    );
    app.action('more', async ({ ack, action, body, respond }) => {
      await ack();
      const value = 'value' in action ? action.value : '';
      const [block] = [{ ...section(`value ${value}`), block_id: 'text' }];
      const row = { type: 'actions', block_id: 'row', elements: [button('Bye', 'bye')] };
      expect(body).not.toHaveProperty('message');
      await respond({ replace_original: true, text: 'more', blocks: [block, row] as never });
    });
    app.action('bye', async ({ ack, respond }) => {
      await ack();
      await respond({ delete_original: true });
    });
    const page = await workspace.page('U0ADA');
    await workspace.act('command', { ...ADA, text: '/deployments' });
    const { ts } = await page.untilMessage(({ text }) => text === 'private');
    const press = (action_id: string) =>
      workspace.act('action', {
        user: 'U0ADA',
        container: { type: 'ephemeral', channel: CHANNEL, ts },
        block_id: 'row',
        action_id,
        element: { type: 'button' },
      });
    await press('more');
    const changed = await page.until('message_changed');
    expect(changed.message).toMatchObject({ ts, text: 'more', ephemeral: true });
    await press('bye');
    expect(await page.until('message_deleted')).toMatchObject({ ts });
    expect(await press('bye')).toEqual({ ok: false, error: 'message_not_found' });
  });

  it('edits the message whose button was pressed', async () => {
    const { app } = running;
    app.action('approve', async ({ ack, body, client }) => {
      await ack();
      if (body.type !== 'block_actions') return;
      await client.chat.update({
        channel: body.channel?.id ?? '',
        ts: body.message?.ts ?? '',
        text: `approved by ${body.user.id}`,
      });
    });
    const { ts = '' } = await workspace.client.chat.postMessage({
      channel: CHANNEL,
      text: 'please decide',
      blocks: [{ type: 'actions', block_id: 'row', elements: [button('Approve', 'approve')] }],
    });
    const page = await workspace.page('U0BEN');
    await workspace.act('action', {
      user: 'U0BEN',
      container: { type: 'message', channel: CHANNEL, ts },
      block_id: 'row',
      action_id: 'approve',
      element: { type: 'button' },
    });
    const { message } = await page.until('message_changed');
    expect(message).toMatchObject({ ts, text: 'approved by U0BEN', blocks: [] });
  });

  it('publishes the home tab', async () => {
    const { app } = running;
    const blocks = [{ type: 'actions', block_id: 'row', elements: [button('Approve', 'approve')] }];
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
    });
    const page = await workspace.page('U0ADA');
    await workspace.act('home', { user: 'U0ADA' });
    const { view } = await page.until('home');
    const { home } = await workspace.bootstrap('U0ADA');
    expect(home).toMatchObject({ id: view.id, type: 'home' });
  });

  it('receives that a modal was closed, and messages to it', async () => {
    const { app } = running;
    app.command('/deployments', async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: modal() });
    });
    app.view({ callback_id: 'request', type: 'view_closed' }, async ({ ack, body, client }) => {
      await ack();
      await client.chat.postMessage({ channel: body.user.id, text: 'you left' });
    });
    app.message('hello', async ({ say }) => {
      await say('hello yourself');
    });
    const page = await workspace.page('U0ADA');
    await workspace.act('command', { ...ADA, text: '/deployments' });
    const { view_id } = await page.until('views');
    await workspace.act('view/close', { user: 'U0ADA', view_id, clear: false });
    await page.untilMessage(({ text, channel }) => text === 'you left' && channel === 'D0ADA');
    await workspace.act('message', { user: 'U0ADA', channel: 'D0ADA', text: 'hello' });
    const answer = await page.untilMessage(({ text }) => text === 'hello yourself');
    expect(answer).toMatchObject({ channel: 'D0ADA', user: 'U0PURSER' });
  });

  it('the page shows that a command was not answered in time', async () => {
    running.app.command('/deployments', async () => undefined);
    const page = await workspace.page('U0ADA');
    await workspace.act('command', { ...ADA, text: '/deployments' });
    const failure = await page.until('failure');
    expect(failure.channel).toBe(CHANNEL);
    expect(failure.text).toBe('/deployments failed with the error "operation_timeout"');
    const [delivery] = await workspace.deliveries();
    expect(delivery).toMatchObject({ ok: false, error: 'operation_timeout' });
    expect(delivery?.ackMs).toBeGreaterThanOrEqual(2_900);
  });
});
