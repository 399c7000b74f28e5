import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addressesAnswer, notReported } from '../../../../src/features/workload/addresses.ts';
import { addressesOf, type AddressQuestion } from '../../../../src/platform/workload/addresses.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { spoken, tableOf } from '../../../support/answer.ts';

const ALIAS = 'a1b2c3d4e5f6g';
const target = { gvc: 'shop', workload: 'cart' };
const brand = {
  prefix: 'svc',
  globalDomain: 'apps.example',
  locationDomain: 'loc.example',
  internalDomain: 'internal.example',
  orgEndpointPrefixes: new Map<string, string>(),
};

const at = (location: string, replicas?: number) => ({
  location,
  endpoint: `https://cart-${ALIAS}.${location}.loc.example/`,
  replicas,
});

function show({
  cron = false,
  page = 1,
  ...changes
}: Partial<AddressQuestion> & { cron?: boolean; page?: number } = {}): Answer {
  const question = {
    brand,
    org: 'acme',
    ...target,
    alias: ALIAS,
    reported: [at('aws-eu', 2), at('gcp-us', 0)],
    containers: ['web'],
    ...changes,
  };
  const { replicas, port } = question;
  const addresses = addressesOf(question);
  return addressesAnswer({
    org: 'acme',
    target,
    addresses,
    cron,
    replicas,
    port,
    skipped: 0,
    page,
  });
}

const firstTexts = ({ blocks }: Answer): string[] => textsOf(blocks);
/** Every text of an answer beside its table, section by section. */
const texts = ({ blocks, notes = [] }: Answer): string[] => [...textsOf(blocks), ...notes];
const textsOf = (blocks: Answer['blocks']): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'section') return [block.text?.text ?? ''];
    return block.type === 'context'
      ? block.elements.flatMap((one) => ('text' in one ? one.text : []))
      : [];
  });
const shown = (answer: Answer): string => texts(answer).join('\n');
/** The sections of one kind, of which the first one has its name. */
const kind = (answer: Answer, name: string): string => {
  const all = texts(answer);
  const from = all.findIndex((text) => text.startsWith(`*${name}*`));
  const next = all.findIndex((text, index) => index > from && !/^[`…]/.test(text));
  return from === -1 ? '' : all.slice(from, next === -1 ? undefined : next).join('\n');
};

describe('the addresses of a workload', () => {
  it('say first where it answers, one address per line to be copied, each with its use', () => {
    const answer = show({ port: 8080 });

    expect(firstTexts(answer).slice(0, 2)).toEqual([
      '*shop/cart* in org acme, in 2 locations',
      expect.stringMatching(/^\*Canonical\* – for clients anywhere.*\n`cart-\w+\.apps\.example`$/),
    ]);
    expect(kind(answer, 'One location').split('\n').slice(1)).toEqual([
      '`cart-a1b2c3d4e5f6g.aws-eu.loc.example`',
      '`cart-a1b2c3d4e5f6g.gcp-us.loc.example`',
    ]);
    expect(kind(answer, 'Internal')).toContain('\n`cart.shop.internal.example:8080`');
    expect(kind(answer, 'Container to container')).toContain('\n`http://web:8080`');
    expect(answer).toMatchObject({ shareable: true, needs: 'orgs:acme' });
    expect(answer.rest).toBeUndefined();
    expect(answer.buttons).toEqual([
      expect.objectContaining({ action_id: 'workload.probe', value: 'acme/shop/cart' }),
    ]);
  });

  it('begin with the one that has the prefix of the org, where it has one', () => {
    const prefixed = { ...brand, orgEndpointPrefixes: new Map([['acme', 'eu']]) };
    const answer = show({ brand: prefixed });

    expect(texts(answer).slice(1, 3)).toEqual([
      '*Canonical with org prefix* – for clients anywhere: balanced over all locations, TLS ends at the platform\n`cart-a1b2c3d4e5f6g.eu.apps.example`',
      '*Canonical* – without the org’s prefix: the default form\n`cart-a1b2c3d4e5f6g.apps.example`',
    ]);
    expect(kind(show(), 'Canonical with org prefix')).toContain(
      '`ORG_ENDPOINT_PREFIXES` names none for acme\n`cart-a1b2c3d4e5f6g.&lt;orgEndpointPrefix&gt;.apps.example`',
    );
  });

  it('say how to ask for another number of replicas and for a port', () => {
    expect(shown(show())).toContain('For another number of replicas add `replicas=3`');
    expect(shown(show({ replicas: 2 }))).not.toContain('replicas=3');
    expect(shown(show({ port: 80 }))).not.toContain('port=8080');
  });

  it('custom domains are in the status of the workload, which no endpoint here lists', () => {
    expect(shown(show())).toContain(
      'Custom domains are in the status of the workload, with an endpoint for each domain route; Purser cannot read them',
    );
  });

  it('replica hostnames are worked out, not looked up', () => {
    expect(shown(show())).toContain('*Single replicas* – calculated from their number');
    expect(shown(show({ replicas: 0 }))).not.toContain('*Single replicas*');
  });

  it('replica indexes run from 0 to the replica count less one, and replicas=N lists N in each location', () => {
    expect(tableOf(show({ replicas: 2, port: 8080 }))).toEqual([
      ['Location', 'Replica', 'From outside', 'Internal'],
      ...['aws-eu', 'gcp-us'].flatMap((location) =>
        [0, 1].map((index) => [
          location,
          String(index),
          `cart-a1b2c3d4e5f6g-${index}.${location}.loc.example`,
          `replica-${index}.cart.${location}.shop.internal.example:8080`,
        ]),
      ),
    ]);
    expect(shown(show({ replicas: 2 }))).toContain('only for stateful workloads');
  });

  it('has the reported replicas where no number was typed', () => {
    const answer = show({ reported: [at('aws-eu', 2), at('gcp-us', 0), at('unknown')] });

    expect(
      tableOf(answer)
        .slice(1)
        .map(([location, replica]) => [location, replica]),
    ).toEqual([
      ['aws-eu', '0'],
      ['aws-eu', '1'],
      ['unknown', '–'],
    ]);
    expect(tableOf(answer).at(-1)?.[2]).toBe(
      'cart-a1b2c3d4e5f6g-<replicaIndex>.unknown.loc.example',
    );
    expect(shown(answer)).toContain('No replicas now in 1 location');
  });

  it('has pages for more replicas than Slack shows, and cuts no address', () => {
    const first = show({ replicas: 1_000 });
    const pages = Array.from({ length: first.pages ?? 0 }, (_, index) =>
      show({ replicas: 1_000, page: index + 1 }),
    );
    const rows = pages.flatMap((one) => tableOf(one).slice(1));

    expect(rows).toHaveLength(2_000);
    expect(rows.at(-1)?.[3]).toBe('replica-999.cart.gcp-us.shop.internal.example:<port>');
    expect(pages.at(-1)?.asked).toMatchObject({
      question: { org: 'acme', target, replicas: 1_000 },
      page: first.pages,
    });
  });

  it('name the variable that is missing for a domain, and the alias that nothing shows', () => {
    const answer = show({
      brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
      alias: undefined,
      reported: [{ location: 'aws-eu', endpoint: undefined, replicas: 1 }],
    });

    expect(firstTexts(answer)[0]).toBe(
      '*shop/cart* in org acme, in 1 location; its global address is not known: your Purser administrator has to set `GLOBAL_DOMAIN`',
    );
    expect(shown(answer)).toContain('LOCATION_DOMAIN');
    expect(shown(answer)).toContain('INTERNAL_DOMAIN');
    expect(shown(answer)).toContain(
      '⚠ `&lt;gvcAlias&gt;` is not known: no deployment of shop reports an endpoint',
    );
  });

  it('are not probed as long as the global one is not known', () => {
    const answer = show({
      alias: undefined,
      reported: [{ location: 'aws-eu', endpoint: undefined, replicas: 1 }],
    });

    expect(firstTexts(answer)[0]).toBe(
      '*shop/cart* in org acme, in 1 location; its global address is not known yet',
    );
    expect(answer.buttons).toBe(undefined);
    expect(show({}).buttons).toHaveLength(1);
  });

  it('say that the platform reports another domain than LOCATION_DOMAIN', () => {
    expect(shown(show({ brand: { ...brand, locationDomain: 'old.example' } }))).toContain(
      '`loc.example`, which is shown; `LOCATION_DOMAIN` says otherwise',
    );
  });

  it('of a cron workload say that it serves nothing, and offer no probe', () => {
    const answer = show({ cron: true });

    expect(firstTexts(answer)[0]).toContain('in 2 locations: a cron workload, so nothing answers');
    expect(answer.buttons).toBeUndefined();
    expect(shown(show())).not.toContain('cron');
  });

  it('whatever there is, keep within Slack’s limits', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,40}$/);
    const replicas = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
    const anyReported = fc.uniqueArray(label, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(label, anyReported, replicas, replicas, (workload, locations, some, more) => {
        const reported = locations.map((location, index) => ({
          location,
          endpoint: `https://${workload}-${ALIAS}.${location}.loc.example/`,
          replicas: index % 2 === 0 ? some : more,
        }));
        const { blocks } = show({ workload, reported });

        expect(createBlockChecker().blocks(layOut(blocks, 'id'), 'message')).toEqual([]);
        expect(layOut(blocks, 'id')).toEqual(blocks);
      }),
      { numRuns: 60 },
    );
  });
});

it('a workload of which no deployment is reported has no known addresses, in one sentence', () => {
  expect(spoken(notReported('acme', target, 0))).toBe(
    'shop/cart in org acme: no deployments are reported, so its addresses are not known. A new workload appears after its first report.',
  );
  expect(spoken(notReported('acme', target, 2))).toContain('its deployments cannot be read');
});
