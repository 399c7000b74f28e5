import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { FormSubmission } from '../../../../src/slack/routing/routes.ts';
import { ADA, gate, isProgress, type Message } from '../harness.ts';
import { choices, failing, form, openedForm, openForm, said, says } from './form-support.ts';

const edited = ({ edits }: Message): boolean => edits.length > 0;
const range = (value: string) => ({ range: { range: { type: 'plain_text_input', value } } });

describe('a form', () => {
  it('opens at once and fills in as things become known', async () => {
    const [slow, slower] = [gate(), gate()];
    const { press, answer, view } = await openForm({
      async fill(_, show) {
        await slow.passed;
        await show(form(['reading']));
        await slower.passed;
        await show(form(['acme', 'globex']));
      },
    });

    await press(answer, 'Customize');
    const reading = await view('a first word', says('Reading …'));
    slow.open();
    const first = await view('the first fields', says('reading'));
    slower.open();
    const second = await view('the values', says('globex'));

    expect(reading.submit).toBeUndefined();
    expect(second).toMatchObject({ id: first.id, title: 'Customize', submit: 'Show' });
  });

  it('carries its state and a short name of its place alone, and has the focus in its first field', async () => {
    const { requests } = await openedForm({});

    const [latest] = (await requests('views.update')).slice(-1);
    const { blocks, private_metadata: carried } = JSON.parse(String(latest?.args['view'])) as {
      blocks: { block_id: string; element: { focus_on_load?: boolean } }[];
      private_metadata: string;
    };
    const focused = blocks.filter(({ element }) => element.focus_on_load === true);
    expect(focused.map(({ block_id }) => block_id)).toEqual(['range']);
    const reply = expect.stringMatching(/^[\w-]{1,64}$/) as string;
    expect(JSON.parse(carried)).toEqual({ state: 'query-1', reply });
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
    await faults(failing('views.update', 'hash_conflict', { times: 1 }));

    slow.open();
    await view('the last fields', says('globex'));

    const hashes = (await requests('views.update')).map(({ args }) => typeof args['hash']);
    expect(hashes).toEqual(['string', 'undefined', 'string']);
  });

  it('hands over its values and its subject', async () => {
    let got: FormSubmission | undefined;
    const { open, submit } = await openedForm({
      submit(submission) {
        got = submission;
        return { answer: () => Promise.resolve(undefined) };
      },
    });

    const selected_options = choices('acme', 'globex').map(({ value }) => ({ value }));
    const orgs = { type: 'multi_static_select', selected_options };
    await submit(open, { ...range('last week'), orgs: { orgs } });

    expect(got).toEqual({
      person: { userId: ADA, teamId: expect.stringMatching(/^T/) as string },
      state: 'query-1',
      values: { range: 'last week', step: 'none', orgs: ['acme', 'globex'], tiers: [] },
    });
  });

  it('closes, and its answer takes the place of the message that it was opened from', async () => {
    const { open, answer, submit, untilMessage, messages } = await openedForm({});

    const verdict = await submit(open, {});
    const changed = await untilMessage('the answer', edited);

    expect(verdict).toEqual({ ok: true });
    expect(changed.ts).toBe(answer.ts);
    expect(said(changed)).toContain('*Another sum*');
    expect(await messages()).toHaveLength(1);
  });

  it('shows progress in place, and restores the earlier content when it fails', async () => {
    const slow = gate();
    const { open, submit, untilMessage } = await openedForm({
      submit: () => ({
        async answer() {
          await slow.passed;
          throw new Refusal('The platform is away: try again.');
        },
      }),
    });

    await submit(open, {});
    const waiting = await untilMessage('a word in between', ({ text }) => isProgress(text));
    slow.open();
    const back = await untilMessage('the earlier content', ({ edits }) => edits.length === 2);

    expect(said(waiting)).toContain('*The first sum*');
    expect(said(back)).toMatch(/\*The first sum\*.*:warning: The platform is away: try again\./);
    expect(said(back)).toContain('Customize');
  });
});
