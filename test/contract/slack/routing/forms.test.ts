import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { FormSubmission } from '../../../../src/slack/routing/routes.ts';
import { ADA, gate, isProgress, type Message } from '../harness.ts';
import { choices, form, isFilled, openForm, said } from './form-support.ts';

const edited = ({ edits }: Message): boolean => edits.length > 0;
const range = (value: string) => ({ range: { range: { type: 'plain_text_input', value } } });

describe('a form', () => {
  it('opens at once and fills in as things become known', async () => {
    const slow = gate();
    const { press, answer, view } = await openForm({
      async fill(_, show) {
        await show(form(['reading']));
        await slow.passed;
        await show(form(['acme', 'globex']));
      },
    });

    await press(answer, 'Customize');
    const first = await view('the first fields', (_, text) => text.includes('reading'));
    slow.open();
    const second = await view('the values', (_, text) => text.includes('globex'));

    expect(second).toMatchObject({ id: first.id, title: 'Customize', submit: 'Show' });
  });

  it('has the focus in its first field, so that one can type at once', async () => {
    const { press, answer, view, requests } = await openForm({});
    await press(answer, 'Customize');
    await view('the form', isFilled);

    const [latest] = (await requests('views.update')).slice(-1);
    const { blocks } = JSON.parse(String(latest?.args['view'])) as {
      blocks: { block_id: string; element: { focus_on_load?: boolean } }[];
    };
    const focused = blocks.filter(({ element }) => element.focus_on_load === true);
    expect(focused.map(({ block_id }) => block_id)).toEqual(['range']);
  });

  it('says that it is reading before anything is known', async () => {
    const slow = gate();
    const { press, answer, view } = await openForm({
      async fill(_, show) {
        await slow.passed;
        await show(form(['acme']));
      },
    });

    await press(answer, 'Customize');
    const reading = await view('a first word', (_, text) => text.includes('Reading …'));
    slow.open();
    await view('the fields', isFilled);

    expect(reading.submit).toBeUndefined();
  });

  it('whose earlier content Slack did not confirm takes the next one all the same', async () => {
    const slow = gate();
    const { press, answer, view, faults, requests } = await openForm({
      async fill(_, show) {
        await slow.passed;
        await show(form(['acme']));
        await show(form(['globex']));
      },
    });
    await press(answer, 'Customize');
    await view('a first word', () => true);
    await faults({ method: 'views.update', kind: 'error', error: 'hash_conflict', times: 1 });

    slow.open();
    await view('the last fields', (_, text) => text.includes('globex'));

    const hashes = (await requests('views.update')).map(({ args }) => typeof args['hash']);
    expect(hashes).toEqual(['string', 'undefined', 'string']);
  });

  it('hands over its values and its subject', async () => {
    let got: FormSubmission | undefined;
    const { press, answer, view, submit } = await openForm({
      submit(submission) {
        got = submission;
        return { answer: () => Promise.resolve(undefined) };
      },
    });
    await press(answer, 'Customize');

    await submit(await view('the form', isFilled), {
      ...range('last week'),
      orgs: {
        orgs: {
          type: 'multi_static_select',
          selected_options: choices('acme', 'globex').map(({ value }) => ({ value })),
        },
      },
    });

    expect(got).toEqual({
      person: { userId: ADA, teamId: expect.stringMatching(/^T/) as string },
      state: 'query-1',
      values: { range: 'last week', step: 'none', orgs: ['acme', 'globex'], tiers: [] },
    });
  });

  it('carries nothing but its state and a short name of its place through Slack', async () => {
    const { press, answer, view, requests } = await openForm({});
    await press(answer, 'Customize');
    await view('the form', isFilled);

    const [latest] = (await requests('views.update')).slice(-1);
    const { private_metadata: carried } = JSON.parse(String(latest?.args['view'])) as {
      private_metadata: string;
    };
    expect(JSON.parse(carried)).toEqual({
      state: 'query-1',
      reply: expect.stringMatching(/^[\w-]{1,64}$/) as string,
    });
  });

  it('closes, and its answer takes the place of the message that it was opened from', async () => {
    const { press, answer, view, submit, untilMessage, messages } = await openForm({});
    await press(answer, 'Customize');

    const verdict = await submit(await view('the form', isFilled), {});
    const changed = await untilMessage('the answer', edited);

    expect(verdict).toEqual({ ok: true });
    expect(changed.ts).toBe(answer.ts);
    expect(said(changed)).toContain('*Another sum*');
    expect(await messages()).toHaveLength(1);
  });

  it('shows progress in place, and restores the earlier content when it fails', async () => {
    const slow = gate();
    const { press, answer, view, submit, untilMessage } = await openForm({
      submit: () => ({
        async answer() {
          await slow.passed;
          throw new Refusal('The platform is away: try again.');
        },
      }),
    });
    await press(answer, 'Customize');

    await submit(await view('the form', isFilled), {});
    const waiting = await untilMessage('a word in between', ({ text }) => isProgress(text));
    slow.open();
    const back = await untilMessage('the earlier content', ({ edits }) => edits.length === 2);

    expect(said(waiting)).toContain('*The first sum*');
    expect(said(back)).toContain('*The first sum*');
    expect(said(back)).toContain(':warning: The platform is away: try again.');
    expect(said(back)).toContain('Customize');
  });
});
