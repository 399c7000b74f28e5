import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import type { Kept } from '../../../../src/slack/replies/shelf.ts';
import { buttonsOf } from '../harness.ts';
import { isFilled, openForm, said, sum } from './form-support.ts';

function keptAs(id: string | undefined, get: () => Promise<unknown>): Kept {
  const shelf = { put: () => Promise.resolve(id), get, claim: () => Promise.resolve(true) };
  return { answers: shelf as Kept['answers'], forms: shelf };
}

describe('the answer to a form whose place is lost', () => {
  const DIRECT = 'D0ADA';
  const forgetful = {
    kept: keptAs(undefined, () => Promise.reject(new Error('the store is away'))),
  };
  const inSlack = (responseUrl: string) => ({
    userId: 'U0ADA',
    responseUrl,
    clicked: { messageId: undefined, lasting: false },
    replaceable: true,
  });

  it.each<[string, unknown]>([
    ['the store has forgotten it', undefined],
    ['Slack takes nothing there any more', inSlack('/response/too-old')],
    ['it is not Slack’s', inSlack('http://localhost:1/elsewhere')],
  ])('comes as a direct message, because %s', async (_, kept) => {
    let slackUrl = '';
    const made = await openForm(
      { submit: () => ({ answer: () => Promise.resolve({ ...sum('A sum'), shareable: true }) }) },
      {
        services: {
          kept: keptAs('kept-1', () => Promise.resolve(placed(kept, slackUrl))),
        },
      },
    );
    slackUrl = made.slackUrl;
    await made.press(made.answer, 'Customize');

    await made.submit(await made.view('the form', isFilled), {});
    const direct = await made.untilMessage('an answer', () => true, DIRECT);

    expect(direct.ephemeral_to).toBeNull();
    expect(said(direct)).toContain('*A sum*');
    expect(buttonsOf(direct)).toEqual(['Customize']);
    expect(await made.messages()).toHaveLength(1);
  });

  it('can be turned over in that message', async () => {
    const turn = (to: string) => button({ action: 'turn', text: to });
    const page = (name: string) => ({ ...sum(name), buttons: [turn('Next')] });
    const made = await openForm(
      { submit: () => ({ answer: () => Promise.resolve(page('One')) }) },
      {
        actions: [{ actionId: 'turn', inPlace: true, run: () => Promise.resolve(page('Two')) }],
        services: forgetful,
      },
    );
    await made.press(made.answer, 'Customize');
    await made.submit(await made.view('the form', isFilled), {});
    const direct = await made.untilMessage('an answer', () => true, DIRECT);

    await made.press(direct, 'Next');
    const turned = await made.untilMessage('the page', ({ text }) => text === 'Two', DIRECT);

    expect(turned).toMatchObject({ ts: direct.ts, ephemeral_to: null });
  });

  it('says in that message why nothing is there, too', async () => {
    const made = await openForm(
      {
        submit: () => ({ answer: () => Promise.reject(new Refusal('There are no charges.')) }),
      },
      { services: forgetful },
    );
    await made.press(made.answer, 'Customize');

    await made.submit(await made.view('the form', isFilled), {});
    const direct = await made.untilMessage('a sentence', () => true, DIRECT);

    expect(direct.text).toBe('There are no charges.');
  });

  /** A relative address is one of the stand-in's. */
  function placed(kept: unknown, slackUrl: string): unknown {
    const origin = kept as { responseUrl: string } | undefined;
    return origin && { ...origin, responseUrl: new URL(origin.responseUrl, slackUrl).href };
  }
});
