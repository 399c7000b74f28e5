import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { FormRoute } from '../../../../src/slack/routing/routes.ts';
import { until } from '../../../support/until.ts';
import { gate } from '../harness.ts';
import { failing, form, isFilled, openedForm, openForm, says, sum } from './form-support.ts';

const late = expect.stringContaining('took too long, so nothing was done: please submit') as string;

describe('a form that cannot be taken', () => {
  it.each<[string, FormRoute['submit'], Record<string, string>]>([
    [
      'with the errors under their fields and all others under the first',
      () => ({ errors: { step: 'Too small.', gone: 'No such field.', '': 'And more.' } }),
      { step: 'Too small.', range: 'No such field. And more.' },
    ],
    [
      'with a refusal under the first field',
      () => Promise.reject(new Refusal('There is no top-secret month.')),
      { range: 'There is no [hidden] month.' },
    ],
    [
      'with a sentence for a defect',
      () => Promise.reject(new TypeError('month is not a function')),
      { range: 'Something went wrong inside Purser and was logged: please try again.' },
    ],
  ])('stays open, %s', async (_, submitted, errors) => {
    const { open, submit } = await openedForm({ submit: submitted });

    expect(await submit(open, {})).toEqual({ ok: true, errors });
  });

  it('because the verdict is late says so while Slack still listens, and nothing is done', async () => {
    const [slow, end] = [gate(), gate()];
    let done = 0;
    const { open, submit, messages } = await openedForm({
      async submit() {
        await slow.passed;
        end.open();
        return { answer: () => Promise.resolve(sum(`Done ${(done += 1)} times`)) };
      },
    });

    const verdict = await submit(open, {});
    slow.open();
    await end.passed;
    expect(verdict).toEqual({ ok: true, errors: { range: late } });
    expect((await messages())[0]?.edits).toEqual([]);

    await submit(open, {});
    await until('the answer', async () => (await messages())[0]?.text === 'Done 1 times');
    expect(done).toBe(1);
  });

  it('because the verdict fails late is reported the same, and the failure is logged', async () => {
    const slow = gate();
    const { open, submit, lines } = await openedForm({
      async submit() {
        await slow.passed;
        throw new TypeError('month is not a function');
      },
    });

    const verdict = await submit(open, {});
    slow.open();
    await until('a line', () => lines().includes('month is not a function'));

    expect(verdict).toMatchObject({ errors: { range: late } });
  });

  it('because its sender cannot be checked in time is not read later, either', async () => {
    const slow = gate();
    let admitted = Promise.resolve();
    let reads = 0;
    const { open, submit } = await openedForm(
      {
        submit() {
          reads += 1;
          return { errors: { step: 'Too small.' } };
        },
      },
      { services: { authorize: () => admitted } },
    );
    admitted = slow.passed;

    await submit(open, {});
    slow.open();
    expect(await submit(open, {})).toEqual({ ok: true, errors: { step: 'Too small.' } });

    expect(reads).toBe(1);
  });
});

describe('a form that cannot be filled in', () => {
  it('says why, and keeps the fields that it had', async () => {
    const { press, answer, view } = await openForm({
      async fill(_, show) {
        await show(form(['acme']));
        throw new Refusal('The values could not be read: try again.');
      },
    });

    await press(answer, 'Customize');
    const open = await view('the sentence', says('could not be read'));

    expect(open.submit).toBe('Show');
    const [note, ...fields] = open.blocks.map(({ type }) => type);
    expect([note, new Set(fields), fields.length]).toEqual(['section', new Set(['input']), 4]);
  });

  it('from the beginning says only why', async () => {
    const { press, answer, view } = await openForm({
      fill: () => Promise.reject(new Refusal('This answer is too old: ask again.')),
    });

    await press(answer, 'Customize');
    expect((await view('the sentence', says('too old'))).submit).toBeUndefined();
  });

  it('because Slack refuses its fields says that something is wrong, and logs it', async () => {
    const { press, answer, view, lines } = await openForm({
      fill: (_, show) => show({ ...form(['acme']), blocks: [{ type: 'actions', elements: [] }] }),
    });

    await press(answer, 'Customize');
    await view('the sentence', says('Something went wrong inside Purser'));

    expect(lines()).toContain('invalid_arguments');
  });

  it('because it was closed meanwhile is left alone', async () => {
    const [slow, filled] = [gate(), gate()];
    const { press, answer, view, closeView, messages, lines } = await openForm({
      async fill(_, show) {
        await slow.passed;
        await show(form(['acme']));
        await show(form(['globex']));
        filled.open();
      },
    });
    await press(answer, 'Customize');

    await closeView(await view('a first word', () => true));
    slow.open();
    await filled.passed;

    expect(lines()).toContain('closed before it was filled in');
    expect(lines()).not.toContain('"level":"error"');
    expect(await messages()).toHaveLength(1);
  });

  it('because Slack did not open it is reported beside the answer', async () => {
    const { press, answer, faults, untilMessage } = await openForm({});
    await faults(failing('views.open', 'expired_trigger_id'));

    await press(answer, 'Customize');
    const sentence = await untilMessage('a sentence', ({ ts }) => ts !== answer.ts);

    expect(sentence.text).toContain('did not open the window in time: please click again');
  });

  it('because Slack refuses it once is filled in, without a message', async () => {
    const { press, answer, view, faults, messages } = await openForm({});
    await faults(failing('views.update', 'internal_error', { times: 1 }));

    await press(answer, 'Customize');

    expect((await view('the form', isFilled)).submit).toBe('Show');
    expect(await messages()).toHaveLength(1);
  });
});
