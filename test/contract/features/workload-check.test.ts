import { describe, expect, it } from 'vitest';
import { ReportFailed, type Reports } from '../../../src/lib/threads.ts';
import { createCheckForm } from '../../../src/features/workload/check.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { createReadFile, type ReadFile } from '../../../src/slack/files.ts';
import { reportsHere, servicesOf } from '../../support/reports.ts';
import { ADA, gate, openSlackHarness, type Message, type View } from '../slack/harness.ts';
import { isFilled, said } from '../slack/routing/form-support.ts';

let harness: Awaited<ReturnType<typeof openSlackHarness>> | undefined;

/** The form as `/charges` opens it here, between the bot's edge and the stand-in Slack. */
async function opened({
  requireOrgAccess = () => Promise.resolve(),
  run = (...order: Parameters<Reports['run']>) => reportsHere().run(...order),
}: { requireOrgAccess?: () => Promise<void>; run?: Reports['run'] } = {}) {
  const services = servicesOf({
    config: { brand: { prefix: 'svc', orgEndpointPrefixes: new Map() } },
    access: { requireOrgAccess },
    reports: { run },
    readFile: (...of: Parameters<ReadFile>) => createReadFile(ready().client)(...of),
  });
  const form = createCheckForm(services);
  harness = await openSlackHarness({ parse: () => ({ form, value: '' }), forms: [form] });
  await harness.type('/charges');
  return harness;
}

function ready() {
  if (harness === undefined) throw new Error('The form is not open');
  return harness;
}

const pasted = (value: string) => ({
  'workload-manifest': { 'workload-manifest': { type: 'plain_text_input', value } },
});
const files = (...ids: string[]) => ({
  'workload-file': {
    'workload-file': { type: 'file_input', files: ids.map((id) => ({ id })) },
  },
});

async function upload(content: string): Promise<string> {
  const answer = await fetch(`${ready().slackUrl}/page/upload?user=${ADA}&name=web.yaml`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
  });
  return ((await answer.json()) as { file: { id: string } }).file.id;
}

const theForm = (): Promise<View> => ready().view('the form', isFilled);
const answer = (holding: string): Promise<Message> =>
  ready().untilMessage('the answer', (one) => said(one).includes(holding));

describe('/workload check', () => {
  it('opens a form with a field for a manifest and one for a file', async () => {
    await opened();

    const view = await theForm();

    expect(view).toMatchObject({ title: 'Check a manifest', submit: 'Check' });
    expect(view.blocks).toMatchObject([
      {
        type: 'input',
        label: { text: 'Manifest' },
        optional: true,
        element: { type: 'plain_text_input', multiline: true, max_length: 3_000 },
      },
      {
        type: 'input',
        label: { text: 'File' },
        optional: true,
        element: { type: 'file_input', filetypes: ['yaml', 'yml', 'json', 'txt'], max_files: 1 },
      },
    ]);
  });

  it('answers to a pasted manifest, with a button for another one', async () => {
    const { submit, press } = await opened();

    const verdict = await submit(
      await theForm(),
      pasted('name: web\nspec:\n  defaultOptions:\n    timeoutSeconds: 900\n'),
    );
    const message = await answer('Manifest of web');

    expect(verdict).toEqual({ ok: true });
    expect(message.ephemeral_to).toBe(ADA);
    expect(said(message)).toContain('Line 4: `spec.defaultOptions.timeoutSeconds` is 900');
    expect(said(message)).toContain('Share');
    await press(message, 'Check another');
    expect((await theForm()).title).toBe('Check a manifest');
  });

  it('answers to a file', async () => {
    const { submit } = await opened();
    const id = await upload('{"name": "web",\n\t"tags": {"svc/largeDisk": "no"}}');

    expect(await submit(await theForm(), files(id))).toEqual({ ok: true });

    expect(said(await answer('Manifest of web'))).toContain('Line 2: `tags[\\"svc/largeDisk\\"]`');
  });

  it('answers that a file is no YAML, and with which line', async () => {
    const { submit } = await opened();
    const id = await upload('name: web\nspec:\n\tdefaultOptions: 1');

    await submit(await theForm(), files(id));

    expect(said(await answer('of the file'))).toContain(
      'Line 3 of the file is indented by a tab, where YAML takes spaces.',
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['nothing', {}, 'Paste a manifest here, or choose a file below.'],
    ['blanks', pasted(' \n '), 'Paste a manifest here, or choose a file below.'],
    [
      'invalid YAML',
      pasted('name: web\nspec:\n\ta: 1'),
      'Line 3 is indented by a tab, where YAML takes spaces.',
    ],
    ['prose', pasted('hello'), 'Line 1 is plain text, and a manifest has names with values'],
  ])('stays open for %s', async (_, values, sentence) => {
    const { submit, messages } = await opened();

    const verdict = await submit(await theForm(), values);

    expect(verdict).toEqual({
      ok: true,
      errors: { 'workload-manifest': expect.stringContaining(sentence) as string },
    });
    expect(await messages()).toEqual([]);
  });

  it('closes before Slack gives it up, and answers when the reports before it are made', async () => {
    const line = gate();
    const run: Reports['run'] = async (order) => {
      await line.passed;
      return reportsHere().run(order);
    };
    const { submit, untilMessage } = await opened({ run });

    expect(await submit(await theForm(), pasted('name: web\nspec: {}'))).toEqual({ ok: true });
    await untilMessage('a word in between', ({ text }) => text.startsWith('Still working on it'));
    line.open();

    expect(said(await answer('Manifest of web'))).toContain('is valid');
  });

  it('says so afterwards when the slow text is not a manifest', async () => {
    const line = gate();
    const run: Reports['run'] = async (order) => {
      await line.passed;
      return reportsHere().run(order);
    };
    const { submit } = await opened({ run });

    await submit(await theForm(), pasted('name: web\nspec:\n\ta: 1'));
    line.open();

    expect(said(await answer('of the manifest'))).toContain(
      'Line 3 of the manifest is indented by a tab, where YAML takes spaces.',
    );
  });

  it.each([
    ['too-large', 'That manifest is too large to be checked at once: check a smaller part.'],
    ['busy', 'Too many large questions are waiting for their answers just now'],
  ] as const)('stays open when a report is not made because it is %s', async (reason, sentence) => {
    const { submit } = await opened({ run: () => Promise.reject(new ReportFailed(reason)) });

    expect(JSON.stringify(await submit(await theForm(), pasted('spec: {}')))).toContain(sentence);
  });

  it('stays open for a manifest and a file, and for several files', async () => {
    const { submit } = await opened();
    const id = await upload('name: web');

    const both = await submit(await theForm(), { ...pasted('spec: {}'), ...files(id) });
    const several = await submit(await theForm(), files(id, await upload('name: api')));

    expect(JSON.stringify(both)).toContain('empty this field, or take the file out');
    expect(JSON.stringify(several)).toContain('Only one file at a time');
  });

  it('takes access to the orgs, when it opens and when it is sent', async () => {
    const no = new Refusal('You are not in the group of ORG_ACCESS.');
    let isAllowed = false;
    const requireOrgAccess = () => (isAllowed ? Promise.resolve() : Promise.reject(no));
    const { view, type, submit } = await opened({ requireOrgAccess });
    await view('the refusal', (_, text) => text.includes(no.message));

    isAllowed = true;
    await type('/charges');
    const form = await theForm();
    isAllowed = false;

    expect(JSON.stringify(await submit(form, pasted('spec: {}')))).toContain(no.message);
  });
});
