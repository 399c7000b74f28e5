import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../../../src/sandbox/slack/build-page.ts';
import { findChromium, hasBrowser, launchBrowser } from '../../../support/browser.ts';
import {
  direct,
  fill,
  openBy,
  openForm,
  submit,
  unread,
  valueOf,
} from '../../../support/changes-page.ts';
import { visit, type Visitor } from '../../../support/page.ts';
import { until } from '../../../support/until.ts';
import { startRecorder, type Recorder } from './recorder.ts';
import { button, plain, section, startWorkspace, type TestWorkspace } from './support.ts';

const option = (value: string, about?: string) => ({
  text: plain(value),
  value: value.toLowerCase(),
  ...(about === undefined ? {} : { description: plain(about) }),
});
const ROLES = ['billing_admin', 'billing_viewer', 'org_creator'].map((role) =>
  option(role, 'what it is for'),
);
const VIEWER = ROLES.slice(1, 2);
const field = (label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id: label,
  label: plain(label),
  element: { action_id: label, ...element },
  ...more,
});

interface Payload {
  trigger_id?: string;
  view: { state: { values: Record<string, Record<string, object>> } };
}

/** One field of every kind that asks for a change or decides on one. */
const FIELDS = [
  field('Amount', { type: 'number_input', is_decimal_allowed: true, initial_value: '400' }),
  field('Enabled', { type: 'checkboxes', options: [option('On')] }, { optional: true }),
  field('Name', { type: 'plain_text_input' }, { hint: plain('For good.') }),
  field('Type the name again', { type: 'plain_text_input' }),
  field('Description', { type: 'plain_text_input', multiline: true }, { optional: true }),
  field('Roles', { type: 'checkboxes', options: ROLES, initial_options: VIEWER }),
  field('Expires', { type: 'datepicker' }, { optional: true }),
  field('E-mail', { type: 'email_text_input' }),
  field('Quota', { type: 'static_select', options: ['cpu', 'memory'].map((name) => option(name)) }),
  field('Decision', { type: 'radio_buttons', options: [option('Approve'), option('Reject')] }),
];
const ENTRIES = {
  Amount: '500.5',
  Enabled: true,
  Name: 'ci',
  'Type the name again': 'ci',
  Description: 'pipelines\nof acme',
  Roles: ['billing_admin', 'org_creator'],
  Expires: '2027-01-31',
  'E-mail': 'hal@acme.example',
  Quota: 'memory',
  Decision: 'Approve',
};

describe.runIf(hasBrowser())('forms in the page', () => {
  let browser: Browser;
  let workspace: TestWorkspace;
  let recorder: Recorder;
  let ada: Visitor;

  beforeAll(async () => {
    recorder = await startRecorder();
    workspace = await startWorkspace({ requestUrl: recorder.url, pageScript: buildPage });
    browser = await launchBrowser(findChromium() ?? '');
    ada = await visit(browser, workspace.slack.url, { user: 'U0ADA', place: 'C0DEPLOYS' });
  });

  afterAll(async () => {
    await browser?.close();
    await workspace?.close();
    await recorder?.close();
  });

  /** The last thing that the app was sent. */
  const sent = () => new URLSearchParams(recorder.received.at(-1)?.body);
  const payload = () => JSON.parse(sent().get('payload') ?? '{}') as Payload;

  /** Answers what was just done with a modal. */
  async function answerWith(trigger: () => string | null, view: object): Promise<void> {
    const before = recorder.received.length;
    const trigger_id = await until('something to answer', () =>
      recorder.received.length > before ? (trigger() ?? undefined) : undefined,
    );
    await workspace.client.views.open({
      trigger_id,
      view: { type: 'modal', title: plain('Form'), ...view } as never,
    });
  }

  async function openFields() {
    const answered = answerWith(() => sent().get('trigger_id'), {
      submit: plain('Request'),
      blocks: [section('What is there now'), ...FIELDS],
    });
    const form = await openForm(ada, '/deployments');
    await answered;
    return form;
  }

  it('take every kind of field by its label, and send it in its own shape', async () => {
    const form = await openFields();
    expect(await valueOf(form, 'Amount')).toBe('400');
    expect(await valueOf(form, 'Roles')).toBe('billing_viewer');

    await fill(form, ENTRIES);
    expect(await valueOf(form, 'Roles')).toBe('billing_admin, org_creator');
    expect(await submit(form)).toEqual({});

    const held = Object.values(payload().view.state.values).map((block) => Object.values(block)[0]);
    expect(held).toMatchObject([
      { type: 'number_input', value: '500.5' },
      { type: 'checkboxes', selected_options: [{ value: 'on' }] },
      { type: 'plain_text_input', value: 'ci' },
      { type: 'plain_text_input', value: 'ci' },
      { type: 'plain_text_input', value: 'pipelines\nof acme' },
      {
        type: 'checkboxes',
        selected_options: expect.arrayContaining([
          expect.objectContaining({ value: 'billing_admin' }),
          expect.objectContaining({ value: 'org_creator' }),
        ]),
      },
      { type: 'datepicker', selected_date: '2027-01-31' },
      { type: 'email_text_input', value: 'hal@acme.example' },
      { type: 'static_select', selected_option: { value: 'memory' } },
      { type: 'radio_buttons', selected_option: { value: 'approve' } },
    ]);
  });

  it('say under a field what is wrong with it, and are sent again', async () => {
    const form = await openFields();
    await fill(form, { ...ENTRIES, 'E-mail': 'hal', Name: '' });

    expect(await submit(form)).toEqual({
      Name: 'Please complete this required field.',
      'E-mail': 'Enter a valid email address.',
    });

    await fill(form, { Name: 'ci', 'E-mail': 'hal@acme.example', Enabled: false });
    expect(await submit(form)).toEqual({});
  });

  it('open from a direct message, which is unread until then; another person sees none of it', async () => {
    const { channel } = await workspace.client.conversations.open({ users: 'U0BEN' });
    const [ben, cleo] = await Promise.all(
      ['U0BEN', 'U0CLEO'].map((user) =>
        visit(browser, workspace.slack.url, { user, place: 'C0DEPLOYS' }),
      ),
    );
    const text = 'Your token is there';
    await workspace.client.chat.postMessage({
      channel: channel?.id ?? '',
      text,
      blocks: [section(text), { type: 'actions', elements: [button('Reveal', 'reveal', 'k3m9')] }],
    });
    if (ben === undefined || cleo === undefined) throw new Error('nobody came');

    await until('an unread message', async () => (await unread(ben)) === '1');
    expect(await unread(cleo)).toBe('');
    const message = await direct(ben, text);
    await until('it to be read', async () => (await unread(ben)) === '');
    const answered = answerWith(() => payload().trigger_id ?? null, {
      blocks: [section('the secret')],
    });
    const modal = await openBy(ben, message, 'Reveal');
    await answered;

    expect(await modal.innerText()).toContain('the secret');
    expect(await cleo.modal.count()).toBe(0);
  });
});
