import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/lib/errors.ts';
import type {
  ActionContext,
  CommandRoute,
  FormRoute,
} from '../../../../src/slack/routing/routes.ts';
import { ADA, CHANNEL, gate, openSlackHarness } from '../harness.ts';
import { form, isFilled, sum } from './form-support.ts';

/** A command that opens a form for `set`, and answers everything else. */
async function opened(
  route: Partial<FormRoute> = {},
  options: Parameters<typeof openSlackHarness>[0] = {},
) {
  const customize: FormRoute = {
    actionId: 'customize',
    callbackId: 'customized',
    title: 'Customize',
    fill: (_, show) => show(form(['acme'])),
    submit: () => ({ answer: () => Promise.resolve(sum('It was sent')) }),
    ...route,
  };
  const parse: CommandRoute['parse'] = ([first, second]) =>
    first?.text === 'set' ? { form: customize, value: second?.text ?? '' } : { command: undefined };
  const harness = await openSlackHarness({
    answer: () => Promise.resolve(sum('An answer')),
    parse,
    forms: [customize],
    ...options,
  });
  return harness;
}

describe('a command that opens a form', () => {
  it('opens it at once, however slow its first read is, and hands over the typed words', async () => {
    const slow = gate();
    let got: ActionContext | undefined;
    const { type, view, messages } = await opened({
      async fill(context, show) {
        got = context;
        await slow.passed;
        await show(form(['acme']));
      },
    });

    await type('/charges set 500');
    await view('a first word', (_, text) => text.includes('Reading …'));
    slow.open();
    await view('the form', isFilled);

    expect(got).toEqual({
      person: { userId: ADA, teamId: expect.stringMatching(/^T/) as string },
      channelId: CHANNEL,
      value: '500',
    });
    expect(await messages()).toEqual([]);
  });

  it('is answered privately where the command was typed', async () => {
    const { type, view, submit, untilMessage } = await opened();
    await type('/charges set');

    await submit(await view('the form', isFilled), {});
    const answer = await untilMessage('the answer', ({ text }) => text === 'It was sent');

    expect(answer.ephemeral_to).toBe(ADA);
  });

  it('still answers other words, and helps', async () => {
    const { ask, type, untilMessage } = await opened();

    expect((await ask()).text).toBe('An answer');
    await type('/charges help');
    expect((await untilMessage('help', ({ text }) => text.includes('Sums.'))).ephemeral_to).toBe(
      ADA,
    );
  });

  it('asks to type it again when Slack did not open the form', async () => {
    const { type, faults, untilMessage } = await opened();
    await faults({ method: 'views.open', kind: 'error', error: 'expired_trigger_id' });

    await type('/charges set');
    const sentence = await untilMessage('a sentence', () => true);

    expect(sentence.text).toContain('in time: please run the command again.');
    expect(sentence.ephemeral_to).toBe(ADA);
  });

  it.each([
    ['words that it cannot read', new UsageError('"500x" is no amount.'), '"500x" is no amount.'],
    ['its own mistakes', new TypeError('no words'), 'Something went wrong inside Purser'],
  ])('answers %s', async (_, error, said) => {
    const { type, untilMessage } = await opened(
      {},
      {
        parse: () => {
          throw error;
        },
      },
    );

    await type('/charges set 500x');
    const answer = await untilMessage('an answer', () => true);

    expect(answer.text).toContain(said);
    expect(answer.ephemeral_to).toBe(ADA);
  });
});
