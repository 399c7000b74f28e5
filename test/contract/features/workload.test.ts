import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBE_ACTION } from '../../../src/features/workload/addresses-view.ts';
import { until } from '../../support/until.ts';
import { createHouse } from '../slack-edge/support.ts';
import type { House, Seen } from '../slack-edge/support.ts';

const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';

let house: House;

beforeAll(async () => {
  house = await createHouse();
});
afterAll(() => house.close());

const ask = (text: string): Promise<Seen> => house.ask(ADA, DEPLOYS, text);
const shown = ({ blocks }: Seen): string => JSON.stringify(blocks);
const requests = async (): Promise<string[]> =>
  (await house.platformRequests()).map(({ path }) => path);

describe('/workload addresses', () => {
  it('shows every address, made of what the deployments report and of the configuration', async () => {
    const answer = await ask('/workload addresses shop/cart replicas=2 port=8080');

    const [, alias = ''] = /cart-([a-z0-9]{13})\.apps\.localhost/.exec(answer.text) ?? [];
    expect(alias).not.toBe('');
    for (const address of [
      `cart-${alias}.aws-us-west-2.svc-sandbox.example`,
      `cart-${alias}.gcp-europe-west4.svc-sandbox.example`,
      `cart-${alias}-1.aws-us-west-2.svc-sandbox.example`,
      'cart.shop.svc.internal.example:8080',
      'replica-1.cart.aws-us-west-2.shop.svc.internal.example:8080',
      'http://cart:8080',
    ]) {
      expect(shown(answer)).toContain(`\`${address}\``);
    }
    expect(await requests()).toContain('/org/acme/gvc/shop/workload/cart/deployment');
  });

  it('takes the alias of another workload where this one reports no endpoint', async () => {
    for (const location of ['aws-us-west-2', 'azure-eastus2', 'gcp-europe-west4']) {
      const place = { org: 'acme', gvc: 'shop', workload: 'web', location };
      await house.platform('patch', { ...place, patch: { endpoint: null } });
    }

    const answer = await ask('/workload addresses shop/web');

    expect(answer.text).toMatch(/web-[a-z0-9]{13}\.apps\.localhost/);
  });

  it('says in one sentence that there is no such workload', async () => {
    const answer = await ask('/workload addresses shop/nothing');

    expect(answer.text).toContain('shop/nothing in org acme');
  });

  it('probes at the click of its button', async () => {
    const answer = await ask('/workload addresses shop/cart');
    const known = new Set((await house.messages(DEPLOYS)).map(({ ts }) => ts));

    await house.press(ADA, DEPLOYS, answer, PROBE_ACTION);

    const probed = await until('an answer to the button', async () =>
      (await house.messages(DEPLOYS)).find(
        ({ ts, text }) => !known.has(ts) && !text.startsWith('Still'),
      ),
    );
    expect(probed.text).toContain('calls answered');
    expect(probed.ephemeral_to).toBe(ADA);
  });
});

describe('/workload', () => {
  it('probes the canonical endpoint', async () => {
    expect((await ask('/workload probe shop/cart')).text).toContain('calls answered');
  });

  it('plans a rollout', async () => {
    const answer = await ask('/workload plan replicas=4 maxSurge=50 % minReady=30');

    expect(answer.text).toContain('roll out in 2 batches of 2; never fewer than 4 serve');
  });

  it('refuses a plan in which nothing could move', async () => {
    const answer = await ask('/workload plan replicas=4 maxUnavailable=20%');

    expect(answer.text).toContain('nothing could be replaced: let maxSurge');
  });

  it.each([
    ['/workload env alias', 'SVC_GVC_ALIAS'],
    ['/workload tags largeDisk', 'svc/largeDisk'],
    ['/workload', '/workload addresses GVC/WORKLOAD'],
    ['/workload adresses shop/cart', 'Did you mean `/workload addresses`?'],
  ])('answers %s', async (command, words) => {
    expect(shown(await ask(command))).toContain(words);
  });

  it('opens a form for a manifest', async () => {
    await house.type(ADA, DEPLOYS, '/workload check');

    const titles = await until('a form', async () => {
      const answer = await fetch(`${house.slackUrl}/page/bootstrap?user=${ADA}`);
      const { views } = (await answer.json()) as { views: { title: string; submit?: string }[] };
      return views.some(({ submit }) => submit === 'Check')
        ? views.map(({ title }) => title)
        : undefined;
    });
    expect(titles).toEqual(['Check a manifest']);
  });
});
