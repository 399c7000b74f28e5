import type { KnownBlock } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heardOf } from '../catalogue/heard.ts';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { userOf, type User } from '../support/user.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const NAME = '*ci* <!channel> _x_ `y`';
const DESCRIPTION = 'see :fire: ~now~';
/** A title stands among words of ours, where a backtick would open a span of code. */
const IN_TITLE = NAME.replaceAll('`', 'ˋ');
/** What the page says where somebody is mentioned. */
const MENTION = '@channel';

/** What Slack shows of blocks, without the marks that it takes for formatting. */
const shown = (blocks: readonly object[]) =>
  heardOf({ blocks: blocks as readonly KnownBlock[] }).replace(/\s+/g, ' ');
const shownText = (text: string) => heardOf({ text, blocks: [] });

describe('a token with a name that Slack would act on', () => {
  let world: World;
  let ada: User;
  let ben: User;
  let id: string;

  beforeEach(async () => {
    world = await openWorld();
    await world.startBot();
    ada = userOf(world, 'U0ADA');
    ben = userOf(world, 'U0BEN');
    id = await request(world, ada, {
      command: '/billing tokens create',
      entries: { Name: NAME, Description: DESCRIPTION, Roles: ['billing_viewer'] },
    });
  });

  afterEach(() => world?.close());

  it('is shown letter by letter on the card, in the review and by /changes', async () => {
    const card = await cardOf(world, id, 'pending');
    const review = await ben.openBy(card, 'Review');
    const life = await ben.ask(`/changes show ${id}`);

    for (const blocks of [card.blocks, review.view.blocks, life.blocks]) {
      expect(shown(blocks)).toContain(`Create the token ${IN_TITLE} with billing_viewer`);
      expect(shown(blocks)).toContain(`Name: ${NAME}`);
      expect(shown(blocks)).toContain(`Description: ${DESCRIPTION}`);
      expect(shown(blocks)).not.toContain(MENTION);
      expect(codesIn(blocks)).toEqual(expect.arrayContaining([NAME, DESCRIPTION]));
    }
    await ben.close(review);
  });

  it('is shown so in the list, and in what a notification says', async () => {
    const card = await cardOf(world, id, 'pending');
    const list = await ben.ask('/changes');

    expect(shown(list.blocks)).toContain(`What: Create the token ${NAME} with billing_viewer`);
    expect(shownText(card.text)).toBe(
      `Change ${id} pending: Create the token ${IN_TITLE} with billing_viewer`,
    );
  });

  it('is what the platform gets, and what the requester is told', async () => {
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');

    const told = await until('Ada to hear of it', async () =>
      (await ada.direct()).find(({ text }) => text.startsWith(`Your change ${id} succeeded`)),
    );
    expect((await writes(world)).at(-1)?.body).toMatchObject({
      name: NAME,
      description: DESCRIPTION,
    });
    expect(shown(told.blocks)).toContain(`Create the token ${IN_TITLE} with billing_viewer`);
    expect(shown(told.blocks)).not.toContain(MENTION);
    expect(shown((await ben.ask('/billing tokens')).blocks)).toContain(`Name: ${NAME};`);
  });
});

/** What is in code style in rich text. */
function codesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { style, text } = value as { style?: { code?: boolean }; text?: unknown };
  const own = style?.code === true && typeof text === 'string' ? [text] : [];
  return [...own, ...Object.values(value).flatMap(codesIn)];
}
