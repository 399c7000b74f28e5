import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { section } from '../../../../src/slack/kit/blocks.ts';
import { select, textInput } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type {
  FormChange,
  FormContent,
  FormSubmission,
} from '../../../../src/slack/routing/routes.ts';
import { until } from '../../../support/until.ts';
import { ADA, gate } from '../harness.ts';
import { choices, openedForm, says } from './form-support.ts';

/** A form that says something else for each org. */
const formOf = (org: string): FormContent => ({
  title: 'Ask for a quota',
  submit: 'Ask',
  state: `for ${org}`,
  blocks: [
    section(mrkdwn`What ${org} has.`),
    select({
      id: 'org',
      label: 'Org',
      options: choices('acme', 'globex', 'initech'),
      refills: true,
    }),
    textInput({ id: 'why', label: 'Description' }),
  ],
});
const chosen = ({ values }: FormChange): string => String(values['org']);
const typed = { why: { why: { type: 'plain_text_input', value: 'more load' } } };

async function opened(route: Parameters<typeof openedForm>[0] = {}) {
  const { open: form, ...harness } = await openedForm({
    fields: ['org'],
    fill: (_, show) => show(formOf('acme')),
    refill: (change) => Promise.resolve(formOf(chosen(change))),
    ...route,
  });
  return { ...harness, form };
}

describe('a field that others depend on', () => {
  it('hands over the current values of all fields', async () => {
    let got: FormChange | undefined;
    const { pick, form, view } = await opened({
      refill(change) {
        got = change;
        return Promise.resolve(formOf(chosen(change)));
      },
    });

    await pick(form, 'org', 'globex', typed);
    await view('another form', says('What globex has.'));

    expect(got).toEqual({
      person: { userId: ADA, teamId: expect.stringMatching(/^T/) as string },
      fieldId: 'org',
      values: { org: 'globex', why: 'more load' },
      state: 'for acme',
    });
  });

  it('changes the form, which is sent with its new subject and answered in its place', async () => {
    let got: FormSubmission | undefined;
    const { pick, form, view, submit, answer, untilMessage } = await opened({
      submit(submission) {
        got = submission;
        return { answer: () => Promise.resolve({ text: 'Sent', blocks: [] }) };
      },
    });
    await pick(form, 'org', 'globex');

    const changed = await view('another form', says('What globex has.'));
    const org = { type: 'static_select', selected_option: { value: 'globex' } };
    const verdict = await submit(changed, { ...typed, org: { org } });
    const answered = await untilMessage('the answer', ({ edits }) => edits.length > 0);

    expect(changed).toMatchObject({ id: form.id, title: 'Ask for a quota', submit: 'Ask' });
    expect(verdict).toEqual({ ok: true });
    expect(got?.state).toBe('for globex');
    expect(answered.ts).toBe(answer.ts);
  });

  it('that changes nothing leaves the form as it was', async () => {
    const { pick, form, requests } = await opened({ refill: () => Promise.resolve(undefined) });
    const before = await requests('views.update');

    await pick(form, 'org', 'globex');

    expect(await requests('views.update')).toEqual(before);
  });

  it('says on top of the form why it could not be followed, and only until it can', async () => {
    let away = true;
    const { pick, form, view } = await opened({
      refill: (change) =>
        away
          ? Promise.reject(new Refusal('The platform is away: choose again.'))
          : Promise.resolve(chosen(change) === 'acme' ? undefined : formOf(chosen(change))),
    });

    await pick(form, 'org', 'globex');
    await pick(form, 'org', 'initech');
    const refused = await view('the sentence', says('The platform is away'));
    away = false;
    await pick(refused, 'org', 'acme');
    const mended = await view('the form', (_, text) => !text.includes('is away'));

    expect(refused.blocks.map(({ type }) => type)).toEqual([
      'section',
      'section',
      'input',
      'input',
    ]);
    expect(refused.submit).toBe('Ask');
    expect(mended.blocks.map(({ type }) => type)).toEqual(['section', 'input', 'input']);
  });

  it('says so, too, when Slack does not take the form that it leads to', async () => {
    const { pick, form, view, lines } = await opened({
      refill: () =>
        Promise.resolve({ ...formOf('globex'), blocks: [{ type: 'actions', elements: [] }] }),
    });

    await pick(form, 'org', 'globex');
    await view('the sentence', says('Something went wrong inside Purser'));

    expect(lines()).toContain('invalid_arguments');
  });

  it('shows the fields of the last choice, also when an earlier one is slower', async () => {
    const slow = gate();
    let slowDone = false;
    const { pick, form, view, requests } = await opened({
      async refill(change) {
        if (chosen(change) === 'globex') {
          await slow.passed;
          slowDone = true;
        }
        return formOf(chosen(change));
      },
    });
    const first = pick(form, 'org', 'globex');
    await pick(form, 'org', 'initech');
    await view('the last choice', says('What initech has.'));

    slow.open();
    await first;
    await until('the end of the slow one', () => slowDone);

    await view('the last choice', says('What initech has.'));
    const shown = (await requests('views.update')).map(({ args }) => String(args['view']));
    expect(shown.filter((text) => text.includes('What globex has.'))).toEqual([]);
  });

  it('of a form that was closed meanwhile is left alone', async () => {
    const slow = gate();
    const { pick, form, closeView, lines } = await opened({
      async refill(change) {
        await slow.passed;
        return formOf(chosen(change));
      },
    });
    await pick(form, 'org', 'globex');

    await closeView(form);
    slow.open();
    await until('the end', () => lines().includes('closed before it was filled in'));

    expect(lines()).not.toContain('"level":"error"');
  });
});
