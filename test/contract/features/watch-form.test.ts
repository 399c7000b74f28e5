import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { createHarness, type Harness, type Seen } from '../app/harness.ts';

const ADA = 'U0ADA';
const RANDOM = 'C0RANDOM';
let house: Harness;

beforeAll(async () => {
  house = await createHarness();
});
afterAll(() => house.close());

const ask = (text: string, channel: string): Promise<Seen> => house.ask(ADA, channel, text);

/** The message to a channel that Purser was invited to. */
const greetings = async (channel: string): Promise<Seen[]> =>
  (await house.messages(channel)).filter(({ text }) => text.startsWith('Hi, I post rollouts'));

async function invited(channel: string): Promise<Seen> {
  await house.type(ADA, channel, '/invite @Purser');
  return until('a greeting', async () => (await greetings(channel))[0]);
}

describe('an invitation to a channel', () => {
  it('is answered once, in few words, and leads to a watch in three clicks', async () => {
    const hello = await invited(RANDOM);
    expect(hello.text.split(/\s+/).length).toBeLessThanOrEqual(40);

    const ada = house.user(ADA);
    const form = await ada.openBy(hello, 'Watch a GVC...');
    expect(Object.keys(form.fields)).toContain('GVC or workload');
    const answer = await ada.answer(() => ada.submit(form, { 'GVC or workload': 'shop' }), RANDOM);

    expect(answer.text).toContain('Watching acme/shop in <#C0RANDOM>');
    expect(JSON.stringify((await ask('/deployments watches', RANDOM)).blocks)).toContain(
      'acme/shop',
    );
    expect(await greetings(RANDOM)).toHaveLength(1);
  });

  it('shows a mistake at its field', async () => {
    const ada = house.user(ADA);
    const [hello] = await greetings(RANDOM);
    const form = await ada.openBy(hello!, 'Watch a GVC...');
    const [empty, odd, deep] = [
      await ada.submit(form, {}),
      await ada.submit(form, { 'Another GVC or workload': '!' }),
      await ada.submit(form, { 'Another GVC or workload': 'a/b/c' }),
    ];

    expect(empty).toEqual({ 'Another GVC or workload': 'Choose a GVC, or type its name.' });
    expect(odd['Another GVC or workload']).toContain('is not a GVC');
    expect(deep['Another GVC or workload']).toContain('not of a location');
  });

  it('offers the watched GVCs, and then their workloads', async () => {
    const ada = house.user(ADA);
    const [hello] = await greetings(RANDOM);
    const form = await ada.openBy(hello!, 'Watch a GVC...');
    const chosen = await ada.choose(form, 'GVC', 'shop');

    const answer = await ada.answer(
      () => ada.submit(chosen, { GVC: 'shop', Workload: 'cart' }),
      RANDOM,
    );
    expect(answer.text).toContain('Watching acme/shop/cart in <#C0RANDOM>');
  });
});
