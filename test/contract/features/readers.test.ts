import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveQuestion } from '../../support/save-question.ts';
import { until } from '../../support/until.ts';
import type { SeenMessage } from '../../support/world.ts';
import { createHarness, type Harness } from '../app/harness.ts';

const [BILLING, SHARED] = ['C0BILLING', 'C0DEPLOYS'];
const NO_COMPANY = 'People from another company read that channel';

let bot: Harness;
const ada = () => bot.user('U0ADA');
const cleo = () => bot.user('U0CLEO');

beforeAll(async () => {
  bot = await createHarness();
  await bot.restartBot({ ...bot.money, DIGEST: 'off' });
});
afterAll(() => bot.close());
beforeEach(async () => {
  await bot.slack('leave', { channel: BILLING, user: 'U0EVE' });
  await bot.slack('share', { channel: BILLING });
});

const textOf = ({ text, blocks }: SeenMessage) => `${text} ${JSON.stringify(blocks)}`;
const numberIn = (answer: SeenMessage) => /Number (\d+)/.exec(answer.text)?.[1] ?? 'none';
const posts = async (channel: string) =>
  (await bot.messages(channel)).filter((one) => one.ephemeral_to === null);

/** Ada saves a question. */
const save = (line: string): Promise<SeenMessage> => saveQuestion(bot, ada(), line);

describe('a saved question', () => {
  it.each(['external', 'pending'])(
    'of charges is refused in a channel that is %s',
    async (sharing) => {
      await bot.slack('share', { channel: BILLING, sharing });
      const refused = await ada().ask('/charges watch yesterday daily');
      expect(refused.text).toContain(NO_COMPANY);
      expect(refused.text).toContain('choose a channel that is not shared');
    },
  );

  it('of usage may go there, and one of charges where another workspace of the company reads', async () => {
    expect((await ada().ask('/usage watch yesterday daily', SHARED)).text).toContain(
      'Not scheduled yet',
    );
    await bot.slack('share', { channel: BILLING, sharing: 'org' });
    expect((await ada().ask('/charges watch yesterday daily')).text).toContain('Not scheduled yet');
  });

  it('names the guests, by number, before it is confirmed, and in its form', async () => {
    await bot.slack('join', { channel: BILLING, user: 'U0EVE' });
    const asked = textOf(await ada().ask('/charges watch yesterday daily'));
    expect(asked).toContain('1 guest reads the channel, too');
    expect(asked).toContain('until it is stopped. 1 guest reads it, too.');

    const answer = await ada().ask('/charges last month');
    const form = await ada().openBy(answer, 'Schedule');
    expect(JSON.stringify(form.view.blocks)).toContain('This channel (1 guest reads it, too)');
    await ada().close(form);
  });

  it('is refused in a conversation of two people, where Purser cannot post', async () => {
    await bot.slack('join', { channel: 'D0BEN', user: 'U0ADA' });
    for (const line of ['/charges watch yesterday daily', '/deployments watch shop']) {
      const refused = await ada().ask(line, 'D0BEN');
      expect(refused.text).toContain('only in their own messages with Purser');
    }
    await bot.slack('leave', { channel: 'D0BEN', user: 'U0ADA' });
  });

  it('begins with its state, and has its number and the zone of its time', async () => {
    const scheduled = await save('/charges watch last week daily at 06:40');
    expect(scheduled.text).toMatch(/^Scheduled: .* Number \d+\.\n/);
    expect(scheduled.text).toContain('06:40 Europe/London');
    const budget = await save('/charges watch this month over 99,000,000');
    expect(budget.text).toMatch(/^Saved: .* Number \d+\.\n/);
    const listed = textOf(await ada().ask('/charges watches'));
    expect(listed).toContain('daily at 06:40 Europe/London');
  });

  it('of direct messages does not exist for others, and ends by its owner alone', async () => {
    const number = numberIn(await ada().ask('/charges watch last month daily', 'D0ADA'));
    const none = `There is no saved question ${number}`;
    expect((await cleo().ask(`/charges unwatch ${number}`)).text).toContain(none);
    expect(textOf(await cleo().ask('/charges watches'))).not.toContain('last month');
    expect(textOf(await ada().ask('/charges watches'))).toContain('/charges last month');

    expect((await ada().ask(`/charges unwatch ${number}`)).text).toMatch(/^Stopped: /);
  });

  it('that another member stops is reported to its owner, with the name', async () => {
    const number = numberIn(await save('/charges watch last year monthly'));
    expect((await cleo().ask(`/charges unwatch ${number}`)).text).toMatch(/^Stopped: /);

    const reported = await until('the owner to read it', async () =>
      (await posts('D0ADA')).find(({ text }) => text.includes('stopped your question')),
    );
    expect(reported.text).toContain(
      `<@U0CLEO> stopped your question \`/charges last year\` in <#C0BILLING>, number ${number}`,
    );
  });
});

describe('Share', () => {
  const isAnswer = ({ blocks }: { blocks: unknown }) =>
    JSON.stringify(blocks).includes('Shared by <@U0ADA>');

  it('of charges is refused where another company reads', async () => {
    const answer = await ada().ask('/charges last month', SHARED);
    const refused = await ada().answer(() => ada().press(answer, 'Share'), SHARED);
    expect(refused.text).toContain(NO_COMPANY);
    expect((await posts(SHARED)).filter(isAnswer)).toEqual([]);
  });

  it('asks once more where guests read, with their number', async () => {
    await bot.slack('join', { channel: BILLING, user: 'U0EVE' });
    const answer = await ada().ask('/charges last month');
    const asked = await ada().answer(() => ada().press(answer, 'Share'));
    expect(asked.text).toContain('Not shared yet: 1 guest reads this channel, too.');
    expect((await posts(BILLING)).filter(isAnswer)).toEqual([]);

    await ada().press(asked, 'Share with guests, too');
    await until('the answer', async () => (await posts(BILLING)).some(isAnswer));
  });

  it('of usage goes to a channel that another company reads', async () => {
    const answer = await ada().ask('/usage last month', SHARED);
    await ada().press(answer, 'Share');
    const shared = await until('the answer', async () => (await posts(SHARED)).find(isAnswer));
    expect(shared.text).toContain('Usage');
  });
});

describe('/deployments', () => {
  it('lists a watch or a mute with the person who made it', async () => {
    await ada().ask('/deployments watch shop', SHARED);
    await cleo().ask('/deployments mute 8h shop', SHARED);

    const { text } = await ada().ask('/deployments watches', SHARED);
    expect(text).toMatch(/acme\/shop: .*muted until \S+.*; made by <@U0ADA>/);
    expect((await ada().ask('/deployments mute', SHARED)).text).toMatch(
      /acme\/shop: until \S+.*; by <@U0CLEO>/,
    );
  });

  it('shows watches of direct messages to that person alone', async () => {
    const noel = bot.user('U0NOEL');
    await noel.ask('/deployments watch shop/web', 'D0NOEL');
    const refused = await cleo().ask('/deployments watches in D0NOEL');
    expect(refused.text).toContain('only in their own messages with Purser');
    expect(textOf(await cleo().ask('/deployments watches'))).not.toContain('shop/web');
    expect(textOf(await noel.ask('/deployments watches', 'D0NOEL'))).toContain('acme/shop/web');
  });
});
