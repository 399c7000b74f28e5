import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addressesAnswer, notReported } from '../../../../src/features/workload/addresses.ts';
import { addressesOf, type AddressQuestion } from '../../../../src/platform/workload/addresses.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { spoken } from '../../../support/answer.ts';

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
  return addressesAnswer({ org: 'acme', target, addresses, cron, replicas, port, skipped: 0, page });
}

const firstTexts = ({ blocks }: Answer): string[] => textsOf(blocks);
/** Every text of an answer and of the window with all addresses, section by section. */
const texts = ({ blocks, rest, notes = [] }: Answer): string[] => [
  ...textsOf(rest?.blocks ?? []),
  ...textsOf(blocks),
  ...notes,
];
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

    expect(spoken(answer)).toContain('`cart-a1b2c3d4e5f6g.apps.example`, and in 2 locations');
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
    expect(show().rest?.button).toBe('All 10 addresses');
    expect(answer.buttons).toEqual([
      expect.objectContaining({ action_id: 'workload.probe', value: 'acme/shop/cart' }),
    ]);
  });

  it('begin with the one that has the prefix of the org, where it has one', () => {
    const prefixed = { ...brand, orgEndpointPrefixes: new Map([['acme', 'eu']]) };
    const answer = show({ brand: prefixed });

    expect(spoken(answer)).toContain('from anywhere `cart-a1b2c3d4e5f6g.eu.apps.example`');
    expect(texts(answer).slice(0, 2)).toEqual([
      '*Canonical with org prefix* – for clients anywhere: balanced over all locations, TLS ends at the platform\n`cart-a1b2c3d4e5f6g.eu.apps.example`',
      '*Canonical* – without the org’s prefix: the default form\n`cart-a1b2c3d4e5f6g.apps.example`',
    ]);
    expect(kind(show(), 'Canonical with org prefix')).toContain(
      '`ORG_ENDPOINT_PREFIXES` names none for acme\n`cart-a1b2c3d4e5f6g.&lt;orgEndpointPrefix&gt;.apps.example`',
    );
  });

  it('of few replicas in few locations keep short on a telephone', () => {
    expect(firstTexts(show({ replicas: 2, port: 80 })).join('\n').length).toBeLessThan(600);
    expect(shown(show())).toContain('For another number of replicas add `replicas=3`');
    expect(shown(show({ replicas: 2 }))).not.toContain('replicas=3');
  });

  it('custom domains stand in the status of the workload, which no endpoint here lists', () => {
    expect(kind(show(), 'Custom domains')).toContain(
      'status of the workload, with an endpoint for each domain route; Purser cannot read them',
    );
  });

  it('replica hostnames are worked out, not looked up', () => {
    expect(shown(show())).toContain('The addresses of replicas are worked out from their number');
  });

  it('replica indexes run from 0 to the replica count less one', () => {
    const replicas = kind(show({ replicas: 3 }), 'One replica');

    expect(replicas).toContain('only stateful workloads can have them');
    expect(replicas.match(/g-\d\.aws-eu/g)).toEqual(['g-0.aws-eu', 'g-1.aws-eu', 'g-2.aws-eu']);
    expect(kind(show(), 'One replica').match(/g-\d\.\S+/g)).toHaveLength(2);
    expect(kind(show(), 'One replica')).toContain('no replicas now in 1 location');
  });

  it('of many replicas are the first ones and the last, with a count', () => {
    const one = kind(show({ reported: [at('aws-eu')], replicas: 1_000 }), 'Internal, one replica');

    expect(one).toContain(
      '`replica-0.cart.aws-eu.shop.internal.example:<port>`'.replace('<port>', '&lt;port&gt;'),
    );
    expect(one).toContain('… `replica-999.cart');
    expect(one).toContain('the last of 1,000 replicas');
  });

  it('of an unknown number of replicas keep the placeholder of the index', () => {
    expect(kind(show({ reported: [at('aws-eu')] }), 'One replica')).toContain(
      '-&lt;replicaIndex&gt;.aws-eu.loc.example`',
    );
  });

  it('name the variable that is missing for a domain, and the alias that nothing shows', () => {
    const answer = show({
      brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
      alias: undefined,
      reported: [{ location: 'aws-eu', endpoint: undefined, replicas: 1 }],
    });

    expect(spoken(answer)).toBe(
      '*shop/cart* in org acme: its global address is not known: your Purser administrator has to set `GLOBAL_DOMAIN`',
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

    expect(spoken(answer)).toBe('*shop/cart* in org acme: its global address is not known yet');
    expect(answer.buttons).toBe(undefined);
    expect(show({}).buttons).toHaveLength(1);
  });

  it('say that the platform reports another domain than LOCATION_DOMAIN', () => {
    expect(shown(show({ brand: { ...brand, locationDomain: 'old.example' } }))).toContain(
      '`loc.example`, which is shown; `LOCATION_DOMAIN` says otherwise',
    );
  });

  it('take as many sections as they need', () => {
    const answer = show({ reported: [at('aws-eu', 50)] });

    expect(kind(answer, 'One replica').match(/-\d+\.aws-eu/g)).toHaveLength(50);
    expect(texts(answer).filter((text) => text.startsWith('`replica-'))).not.toEqual([]);
    expect(kind(answer, 'Internal, one replica')).not.toContain('…');
  });

  it('leave what few replicas do not need to the location that has many', () => {
    const one = kind(
      show({ reported: [at('a-1', 1), at('a-2', 1), at('a-3', 200)] }),
      'One replica',
    );

    expect(one.match(/\.a-[12]\./g)).toHaveLength(2);
    expect(one.match(/\.a-3\./g)?.length).toBeGreaterThan(40);
    expect(one).toContain('-199.a-3.loc.example`, the last of 200 replicas');
  });

  it('of more replicas than a message takes say what is left out', () => {
    const reported = Array.from({ length: 90 }, (_, index) => at(`aws-eu-west-${index}`, 1));
    const [few, many] = [show({ reported: reported.slice(0, 50) }), show({ reported })];

    expect(kind(few, 'One replica').match(/-0\.aws/g)).toHaveLength(50);
    expect(kind(many, 'One replica').match(/-0\.aws/g)?.length).toBeGreaterThan(30);
    expect(kind(many, 'One replica')).toMatch(/… and in \d+ more locations, alike$/);
  });

  it('of a cron workload say that it serves nothing, and offer no probe', () => {
    const answer = show({ cron: true });

    expect(firstTexts(answer)[0]).toContain('in 2 locations: a cron workload, so nothing answers');
    expect(answer.buttons).toBeUndefined();
    expect(shown(show())).not.toContain('cron');
  });

  it('of 20 locations with many replicas and long names keep within Slack’s limits', () => {
    const workload = 'w'.repeat(40);
    const reported = Array.from({ length: 20 }, (_, index) => ({
      location: `provider-region-${index}`,
      endpoint: `https://${workload}-${ALIAS}.provider-region-${index}.loc.example/`,
      replicas: 50,
    }));
    const answer = show({ workload, reported });

    expect(kind(answer, 'One location')).toContain('provider-region-19.loc.example`');
    expect(kind(answer, 'One replica')).toContain(
      'provider-region-19.loc.example`, the last of 50',
    );
    expect(answer.rest?.button).toBe('More addresses');
    expect(shown(answer).length).toBeGreaterThan(0.8 * LIMITS.messageCharacters);
    expect(layOut(answer, 'id').slice(0, answer.blocks.length)).toEqual(answer.blocks);
  });

  it('whatever there is, keep within Slack’s limits', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,40}$/);
    const replicas = fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined });
    const anyReported = fc.uniqueArray(label, { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(label, anyReported, replicas, replicas, (workload, locations, some, more) => {
        const reported = locations.map((location, index) => ({
          location,
          endpoint: `https://${workload}-${ALIAS}.${location}.loc.example/`,
          replicas: index % 2 === 0 ? some : more,
        }));
        const answer = show({ workload, reported });
        const { blocks } = answer;

        expect(layOut({ blocks }, 'id')).toEqual(blocks);
        expect(Math.max(...texts(answer).map(({ length }) => length))).toBeLessThanOrEqual(
          LIMITS.sectionText,
        );
        expect(
          textsOf(answer.rest?.blocks ?? []).every(({ length }) => length <= LIMITS.sectionText),
        ).toBe(true);
        expect(answer.rest?.blocks.length).toBeLessThanOrEqual(LIMITS.modalBlocks);
        expect(firstTexts(answer).join('\n').split('\n').length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 60 },
    );
  });
});

it('a workload of which no deployment is reported has no known addresses, in one sentence', () => {
  expect(spoken(notReported('acme', target, 0))).toBe(
    '*shop/cart* in org acme: no deployments are reported, so its addresses are not known. A new workload appears after its first report.',
  );
  expect(spoken(notReported('acme', target, 2))).toContain('its deployments cannot be read');
});
