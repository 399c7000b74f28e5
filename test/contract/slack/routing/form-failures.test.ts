import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { until } from '../../../support/until.ts';
import { gate } from '../harness.ts';
import { form, isFilled, openForm, sum } from './form-support.ts';

const GUEST = new Refusal('You are a guest.');

describe('a form that cannot be taken', () => {
  it('stays open, with the errors under their fields and all others under the first', async () => {
    const { press, answer, view, submit } = await openForm({
      submit: () => ({ errors: { step: 'Too small.', gone: 'No such field.', '': 'And more.' } }),
    });
    await press(answer, 'Customize');

    const verdict = await submit(await view('the form', isFilled), {});

    expect(verdict).toEqual({
      ok: true,
      errors: { step: 'Too small.', range: 'No such field. And more.' },
    });
  });

  it.each<[string, () => never, string]>([
    [
      'a refusal',
      () => {
        throw new Refusal('There is no top-secret month.');
      },
      'There is no [hidden] month.',
    ],
    [
      'a defect',
      () => {
        throw new TypeError('month is not a function');
      },
      'Something went wrong inside Purser and was logged: please try again.',
    ],
  ])('because of %s says so under the first field', async (_, submitted, sentence) => {
    const { press, answer, view, submit } = await openForm({ submit: submitted });
    await press(answer, 'Customize');

    const verdict = await submit(await view('the form', isFilled), {});

    expect(verdict).toEqual({ ok: true, errors: { range: sentence } });
  });

  it('because the verdict is late says so while Slack still listens, and nothing is done', async () => {
    const slow = gate();
    const late = gate();
    let done = 0;
    const { press, answer, view, submit, messages } = await openForm({
      async submit() {
        await slow.passed;
        late.open();
        return { answer: () => Promise.resolve(sum(`Done ${(done += 1)} times`)) };
      },
    });
    await press(answer, 'Customize');
    const open = await view('the form', isFilled);

    const verdict = await submit(open, {});
    slow.open();
    await late.passed;
    expect(verdict).toEqual({
      ok: true,
      errors: {
        range: expect.stringContaining('so nothing was done: please submit again') as string,
      },
    });
    expect((await messages())[0]?.edits).toEqual([]);

    await submit(open, {});
    await until('the answer', async () => (await messages())[0]?.text === 'Done 1 times');
    expect(done).toBe(1);
  });

  it('because the verdict fails late is reported the same, and the failure is logged', async () => {
    const slow = gate();
    const { press, answer, view, submit, lines } = await openForm({
      async submit() {
        await slow.passed;
        throw new TypeError('month is not a function');
      },
    });
    await press(answer, 'Customize');

    const verdict = await submit(await view('the form', isFilled), {});
    slow.open();
    await until('a line', () => lines().includes('month is not a function'));

    expect(verdict).toMatchObject({
      errors: { range: expect.stringContaining('took too long, so nothing was done') as string },
    });
  });

  it('because its sender cannot be checked in time is not read later, either', async () => {
    const slow = gate();
    let admitted = Promise.resolve();
    let reads = 0;
    const { press, answer, view, submit } = await openForm(
      {
        submit() {
          reads += 1;
          return { errors: { step: 'Too small.' } };
        },
      },
      { services: { authorize: () => admitted } },
    );
    await press(answer, 'Customize');
    const open = await view('the form', isFilled);
    admitted = slow.passed;

    await submit(open, {});
    slow.open();
    expect(await submit(open, {})).toEqual({ ok: true, errors: { step: 'Too small.' } });

    expect(reads).toBe(1);
  });

  it('by a person that the bot does not admit is not read', async () => {
    let admitted = true;
    const { press, answer, view, submit } = await openForm(
      {},
      {
        services: {
          authorize: () => (admitted ? Promise.resolve() : Promise.reject(GUEST)),
        },
      },
    );
    await press(answer, 'Customize');
    const open = await view('the form', isFilled);
    admitted = false;

    expect(await submit(open, {})).toEqual({ ok: true, errors: { range: 'You are a guest.' } });
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
    const open = await view('the sentence', (_, text) => text.includes('could not be read'));

    expect(open.submit).toBe('Show');
    expect(open.blocks.map(({ type }) => type)).toEqual([
      'section',
      'input',
      'input',
      'input',
      'input',
    ]);
  });

  it('from the beginning says only why', async () => {
    const { press, answer, view } = await openForm({
      fill: () => Promise.reject(new Refusal('This answer is too old: ask again.')),
    });

    await press(answer, 'Customize');
    const open = await view('the sentence', (_, text) => text.includes('too old'));

    expect(open.submit).toBeUndefined();
  });

  it('because its reader may not use the bot says so, and nothing is read', async () => {
    let reads = 0;
    let admitted = true;
    const { press, answer, view } = await openForm(
      {
        fill(_, show) {
          reads += 1;
          return show(form(['acme']));
        },
      },
      { services: { authorize: () => (admitted ? Promise.resolve() : Promise.reject(GUEST)) } },
    );
    admitted = false;

    await press(answer, 'Customize');
    const open = await view('the sentence', (_, text) => text.includes('You are a guest.'));

    expect(open.submit).toBeUndefined();
    expect(reads).toBe(0);
  });

  it('because Slack refuses its fields says that something is wrong, and logs it', async () => {
    const { press, answer, view, lines } = await openForm({
      fill: (_, show) => show({ ...form(['acme']), blocks: [{ type: 'actions', elements: [] }] }),
    });

    await press(answer, 'Customize');
    await view('the sentence', (_, text) => text.includes('Something went wrong inside Purser'));

    expect(lines()).toContain('invalid_arguments');
  });

  it('because it was closed meanwhile is left alone', async () => {
    const slow = gate();
    const filled = gate();
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
    await faults({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });

    await press(answer, 'Customize');
    const sentence = await untilMessage('a sentence', ({ ts }) => ts !== answer.ts);

    expect(sentence.text).toContain('did not open the window in time: please click again');
  });
});
