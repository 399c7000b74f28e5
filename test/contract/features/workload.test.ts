import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBE_ACTION } from '../../../src/features/workload/addresses.ts';
import { createWorkloadFeature } from '../../../src/features/workload/feature.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { createBareHttp } from '../../../src/platform/bare-http.ts';
import { until } from '../../support/until.ts';
import { serve, startClient } from '../platform/support.ts';
import { createHarness, type Harness, type Seen } from '../app/harness.ts';
import { NOTHING_WATCHED, servicesOf } from '../../support/reports.ts';
import { typeWords } from '../../support/command.ts';
import { spoken } from '../../support/answer.ts';

const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';

let house: Harness;

beforeAll(async () => {
  house = await createHarness();
});
afterAll(() => house.close());

const ask = (text: string): Promise<Seen> => house.ask(ADA, DEPLOYS, text);
const shown = ({ blocks }: Seen): string => JSON.stringify(blocks);
const requests = async (): Promise<string[]> =>
  (await house.platformRequests()).map(({ path }) => path);

describe('/workload addresses', () => {
  it('shows every address, from the endpoints of the deployments and the configuration', async () => {
    const answer = await ask('/workload addresses shop/cart replicas=2 port=8080');

    const [, alias = ''] = /cart-([a-z0-9]{13})\.apps\.localhost/.exec(answer.text) ?? [];
    expect(alias).not.toBe('');
    const all = shown(answer);
    for (const address of [
      `cart-${alias}.aws-us-west-2.svc-sandbox.example`,
      `cart-${alias}.gcp-europe-west4.svc-sandbox.example`,
      `cart-${alias}-1.aws-us-west-2.svc-sandbox.example`,
      'cart.shop.svc.internal.example:8080',
      'replica-1.cart.aws-us-west-2.shop.svc.internal.example:8080',
      'http://cart:8080',
    ]) {
      expect(all).toContain(address);
    }
    expect(await requests()).toContain('/org/acme/gvc/shop/workload/cart/deployment');
  });

  it.each([
    ['/workload addresses shop/crat port=80', '/workload addresses shop/cart port=80'],
    ['/workload probe shop/crat', '/workload probe shop/cart'],
  ])('of a mistyped place: %s is answered with the nearest one', async (typed, meant) => {
    expect((await ask(typed)).text).toContain(`Did you mean \`${meant}\``);
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

  it.each([
    ['/workload env alias', 'SVC_GVC_ALIAS'],
    ['/workload', '/workload addresses GVC/WORKLOAD'],
    ['/workload adresses shop/cart', 'Did you mean `/workload addresses shop/cart`?'],
    [
      '/workload addresses shop/cart replicas=5000',
      'write 1 to 1,000. For example: `/workload addresses shop/cart replicas=4`',
    ],
  ])('answers %s', async (command, words) => {
    expect(shown(await ask(command))).toContain(words);
  });
});

const person = { userId: ADA, teamId: 'T0TEST' };
const no = 'This takes a role: ask for it.';

/** The feature alone, before a platform that fails, for a person without access to the orgs. */
async function refusing({ mayRead = false, orgs = ['acme'] } = {}) {
  const { url, seen } = await serve((_request, reply) => void reply.writeHead(500).end());
  const { actions, commands } = createWorkloadFeature(
    servicesOf({
      deployments: startClient(url),
      bareHttp: createBareHttp(),
      ...NOTHING_WATCHED,
      config: {
        watches: [],
        brand: { prefix: 'svc', globalDomain: new URL(url).host, orgEndpointPrefixes: new Map() },
      },
      orgs: { known: orgs, fallback: orgs.length === 1 ? orgs[0] : undefined },
      access: {
        requireOrgAccess: () => (mayRead ? Promise.resolve() : Promise.reject(new Refusal(no))),
      },
      stopping: new AbortController().signal,
    }),
  );
  const type = (text: string) => {
    const words = (text.match(/\S+/g) ?? []).map((word) => ({ text: word, quoted: false }));
    return typeWords(commands![0]!, words, { person, channelId: DEPLOYS });
  };
  const press = (value: string) => {
    const probe = actions?.find(({ actionId }) => actionId === PROBE_ACTION);
    return probe?.run({ person, channelId: DEPLOYS, value });
  };
  return { seen, type, press };
}

describe('/workload, for a person without access to the orgs', () => {
  it.each([
    'addresses shop/cart',
    'env',
    'tags',
    'plan replicas=4',
    'probe shop/cart',
    'probe shop/cart org nowhere',
  ])('refuses %s, and asks the platform nothing', async (text) => {
    const { type, seen } = await refusing();

    await expect(type(text)).rejects.toThrow(no);
    expect(seen).toEqual([]);
  });

  it('refuses the click of a button, and asks the platform nothing', async () => {
    const { press, seen } = await refusing();

    await expect(press('acme/shop/cart')).rejects.toThrow(no);
    expect(seen).toEqual([]);
  });

  it('answers help, which is for everybody', async () => {
    const { type } = await refusing();

    expect(spoken(await type(''))).toContain('/workload');
  });
});

it.each(['addresses', 'probe'])(
  'of several orgs %s needs one, and its usage says how',
  async (kind) => {
    const { type } = await refusing({ mayRead: true, orgs: ['acme', 'globex'] });

    await expect(type(`${kind} shop/cart`)).rejects.toMatchObject({
      message: 'There are several orgs: add "org NAME", one of acme, globex.',
      usage: `/workload ${kind}`,
      wanted: 'org acme',
    });
  },
);
