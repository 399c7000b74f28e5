import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import {
  direct,
  fill,
  openBy,
  openForm,
  shown,
  submit,
  unread,
  valueOf,
} from '../support/changes-page.ts';
import type { Visitor } from '../support/page.ts';
import { createStage } from '../support/stage.ts';
import type { Stage } from '../support/stage.ts';
import { until } from '../support/until.ts';

const APPROVALS = 'C0APPROVE';

describe.runIf(hasBrowser())('two people and a change, in a browser', () => {
  let stage: Stage;
  let ada: Visitor;
  let ben: Visitor;

  beforeAll(async () => {
    stage = await createStage();
    [ada, ben] = await Promise.all([
      stage.visit('U0ADA', APPROVALS),
      stage.visit('U0BEN', APPROVALS),
    ]);
  });

  afterAll(() => stage?.close());

  /** The card of the newest change, and its id. */
  async function newest(): Promise<string> {
    const messages = await stage.world.messages(APPROVALS);
    const ids = messages.flatMap(({ text }) => /^Change (\w+) pending/.exec(text)?.[1] ?? []);
    return ids.at(-1) ?? '';
  }

  /** Sends the form and waits for the card. */
  async function ask(): Promise<string> {
    const before = await newest();
    expect(await submit(ada.modal)).toEqual({});
    return until('a card', async () => {
      const id = await newest();
      return id !== before && id;
    });
  }

  it('one sets the spend alert, the other approves it', async () => {
    const form = await openForm(ada, '/alert set 500');
    expect(await valueOf(form, 'Amount')).toBe('500');
    await fill(form, { Amount: '-1' });
    expect(Object.keys(await submit(form))).toEqual(['Amount']);
    await fill(form, { Amount: '450', Enabled: true });
    const id = await ask();

    const { world } = stage;
    const card = shown(ben, await cardOf(world, id));
    await card.getByText('450').first().waitFor();
    const review = await openBy(ben, card, 'Review');
    expect(await review.innerText()).toContain('450');
    await fill(review, { Decision: 'Approve', Comment: 'as agreed' });
    expect(await submit(review)).toEqual({});

    await cardOf(world, id, 'succeeded');
    await card.getByText('as agreed').waitFor();
    expect(await card.getByRole('button', { name: 'Review' }).count()).toBe(0);
    expect((await writes(world)).map(({ call }) => call)).toEqual(['POST /alert']);
    await until('Ada to be told', async () => (await unread(ada)) !== '');
    const told = await direct(ada, 'Succeeded');
    expect(await told.innerText()).toContain('450');
  });

  it('one reads the audit of a change in one message', async () => {
    const [id] = (await stage.world.messages(APPROVALS)).flatMap(
      ({ text }) => /^Change (\w+) succeeded/.exec(text)?.[1] ?? [],
    );

    const answer = await ben.ask(`/changes show ${id}`);

    const words = await answer.innerText();
    for (const word of ['Ada Admin', 'Ben Billing', '450', 'as agreed']) {
      expect(words).toContain(word);
    }
  });
});
