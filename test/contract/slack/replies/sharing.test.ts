import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import type { RoutingServices } from '../../../../src/slack/routing/windows.ts';
import { ADA, buttonsOf, openSlackHarness, type Message } from '../harness.ts';

const SHARE = 'Share';
const answer: Answer = {
  blocks: [section(mrkdwn`*A sum*`)],
  shareable: { question: 'It shows billing data to everybody here.' },
  needs: 'billing',
};

const opened = async (services: Partial<RoutingServices>, shown = answer) => {
  const harness = await openSlackHarness({ answer: () => Promise.resolve(shown), services });
  return harness;
};

const isOpen = ({ ephemeral_to: reader }: Message): boolean => reader === null;

describe('sharing an answer', () => {
  it('asks for the right that it names, of the person who shares it', async () => {
    const asked: unknown[] = [];
    const made = await opened({
      requireRight: async ({ userId }, needs) => void asked.push([userId, needs]),
    });

    await made.press(await made.ask(), SHARE);
    await made.untilMessage('a shared answer', isOpen);

    expect(asked).toEqual([[ADA, 'billing']]);
  });

  it.each(['requireRight', 'authorize'] as const)(
    'is refused privately to who has lost the right since (%s), and done once it is back',
    async (asked) => {
      let no: string | undefined;
      const made = await opened({
        [asked]: () => (no === undefined ? Promise.resolve() : Promise.reject(new Refusal(no))),
      });
      const own = await made.ask();

      no = 'You have no role: ask for one.';
      await made.press(own, SHARE);
      const sentence = await made.untilMessage('a no', ({ text }) => text.includes('no role'));
      const after = await made.messages();

      expect(sentence.ephemeral_to).toBe(ADA);
      expect(after.filter(isOpen)).toEqual([]);
      expect(after.find(({ ts }) => ts === own.ts)).toEqual(own);

      no = undefined;
      await made.press(own, SHARE);
      await made.untilMessage('a shared answer', isOpen);
      expect((await made.messages()).filter(isOpen)).toHaveLength(1);
    },
  );

  it('is refused while that cannot be checked, and the failure is logged', async () => {
    const made = await opened({
      requireRight: () => Promise.reject(new Error('the platform is away')),
    });

    await made.press(await made.ask(), SHARE);
    await made.untilMessage('a sentence', ({ text }) => text.includes('Something went wrong'));

    expect((await made.messages()).filter(isOpen)).toEqual([]);
    expect(made.lines()).toContain('the platform is away');
  });

  it('is not offered where a question is asked and no right is named', async () => {
    const { needs: _, ...careless } = answer;
    const buttons = [button({ action: 'turn', text: 'Next' })];
    const made = await opened({}, { ...careless, buttons });

    expect(buttonsOf(await made.ask())).toEqual(['Next']);
  });
});
