import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { createHarness, type Harness, type Seen } from '../app/harness.ts';

const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';
const SHOP = { org: 'acme', gvc: 'shop' };
let house: Harness;

beforeAll(async () => {
  house = await createHarness();
});
afterAll(() => house.close());

const ask = (text: string, channel = DEPLOYS): Promise<Seen> => house.ask(ADA, channel, text);
const shown = ({ blocks }: Seen): string => JSON.stringify(blocks);
const messages = (): Promise<Seen[]> => house.messages(DEPLOYS);

/** A message that everybody in the channel sees. */
function posted(says: RegExp): Promise<Seen> {
  return until(`a message like ${says}`, async () =>
    (await messages()).find(
      (one) => one.ephemeral_to === null && !one.deleted && says.test(one.text),
    ),
  );
}

/** The channel watches the shop, and the first poll is done. */
async function watchShop(): Promise<void> {
  await ask('/deployments watch shop');
  await until('a first poll', async () =>
    /last read (?!never)/.test((await ask('/deployments watches')).text),
  );
}

/** A rollout that takes its time, and its card. */
async function movingCard(workload: string): Promise<Seen> {
  const { version } = await house.platform('rollout', { ...SHOP, workload, seconds: 100 });
  return posted(new RegExp(`^deploying · .*shop/${workload} v${String(version)} `));
}

describe('a deployment that cannot be read', () => {
  const PLACE = { ...SHOP, workload: 'payments', location: 'azure-eastus2' };

  beforeAll(() => house.platform('patch', { ...PLACE, status: { ready: 'yes' } }));
  afterAll(() => house.platform('patch/clear', {}));

  it.each([
    ['/deployments shop/payments', '1 deployment could not be read (azure-eastus2)'],
    ['/deployments shop', '1 deployment could not be read (payments/azure-eastus2)'],
    [
      '/deployments shop/payments/azure-eastus2',
      '(azure-eastus2), and nothing else is listed. Try again, and contact your Purser administrator if it lasts.',
    ],
    ['/deployments jobs shop/payments/azure-eastus2', '1 deployment could not be read (azure-'],
  ])('is named by %s', async (command, words) => {
    expect(shown(await ask(command))).toContain(words);
  });

  it('is not among "all" locations of its workload', async () => {
    const all = shown(await ask('/deployments shop'));

    expect(all).toContain('aws-us-west-2, gcp-europe-west4');
    expect(all).not.toContain('all 2');
  });
});

it('the count of all locations names them where one location was asked for', async () => {
  const place = { ...SHOP, workload: 'catalog' };
  await house.platform('patch', {
    ...place,
    location: 'azure-eastus2',
    status: { ready: false, versions: [], desiredScale: 4 },
  });
  const answer = shown(await ask('/deployments shop/catalog/aws-us-west-2'));
  await house.platform('patch/clear', {});

  expect(answer).toContain('8 of 12 serve in all locations');
});

describe('@Purser why', () => {
  const why = (place: { thread_ts?: string }) =>
    house.user(ADA).answer(
      () =>
        post(`${house.slackUrl}/page/message`, {
          user: ADA,
          channel: DEPLOYS,
          ...place,
          text: '@Purser why?',
        }),
      DEPLOYS,
    );

  it('shows the details in the thread of a card, in private', async () => {
    await watchShop();
    const { ts } = await movingCard('cart');
    const answer = await why({ thread_ts: ts });

    expect(JSON.stringify(answer.blocks)).toContain('*shop/cart* in org acme');
    expect(answer).toMatchObject({ ephemeral_to: ADA, thread_ts: ts });
    await ask('/deployments unwatch');
  });

  it('elsewhere shows where it works', async () => {
    expect((await why({})).text).toContain('"why" works in the thread of a rollout card');
  });
});

describe('the menu of a card', () => {
  it('shows its details, mutes its workload, and asks before it ends the watch, which the card then says', async () => {
    const ada = house.user(ADA);
    await watchShop();
    const card = await movingCard('payments');

    expect((await ada.openBy(card, 'Details')).text).toContain('*shop/payments*');

    const muted = await ada.answer(() => ada.press(card, 'Mute 1 h'), DEPLOYS);
    expect(muted.text).toMatch(/Muted in <#C0DEPLOYS>\nacme\/shop\/payments until <!date\^/);
    expect((await ask('/deployments mute')).text).toContain('acme/shop/payments: until');

    const asked = await ada.answer(() => ada.press(card, 'Unwatch'), DEPLOYS);
    expect(asked.text).toBe(
      'The watch here is of the whole GVC: this ends acme/shop with all its workloads in <#C0DEPLOYS>, for everyone in it. To silence only shop/payments, mute it.',
    );
    expect((await ask('/deployments watches')).text).toContain('Watched in');

    await ada.press(asked, 'Unwatch');
    const ended = await until('the answer in the place of the question', async () =>
      (await messages()).find(({ ts, text }) => ts === asked.ts && text !== asked.text),
    );
    expect(ended.text).toContain('No longer watching acme/shop');
    expect(shown(ended)).toContain('whole GVC');
    const last = await posted(/^shop\/payments v\d+\s+no longer watched here · last seen \w+/);
    expect(last.ts).toBe(card.ts);
    expect(shown(last)).not.toContain('menu');
    expect((await ask('/deployments mute')).text).toContain('Nothing is muted');
  });

  it('is answered for people without the right, with why not', async () => {
    const eve = house.user('U0EVE');
    await watchShop();
    const card = await movingCard('web');

    for (const name of ['Mute 1 h', 'Unwatch']) {
      const said = await eve.answer(() => eve.press(card, name), DEPLOYS);
      expect(said.text).toContain('guests');
    }
    expect((await ask('/deployments watches')).text).toContain('Watched in');
    await ask('/deployments unwatch');
  });
});
