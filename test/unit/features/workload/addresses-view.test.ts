import { describe, expect, it } from 'vitest';
import { addressesAnswer, notReported } from '../../../../src/features/workload/addresses-view.ts';
import { addressesOf } from '../../../../src/platform/workload/addresses.ts';
import type { AddressQuestion } from '../../../../src/platform/workload/addresses.ts';
import { LIMITS } from '../../../../src/slack/kit/index.ts';
import type { Answer } from '../../../../src/slack/routes.ts';

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

function show(changes: Partial<AddressQuestion> = {}): Answer {
  const question = {
    brand,
    org: 'acme',
    ...target,
    reported: [at('aws-eu', 2), at('gcp-us', 0)],
    containers: ['web'],
    ...changes,
  };
  const { replicas, port } = question;
  const addresses = addressesOf(question);
  return addressesAnswer({ org: 'acme', target, addresses, replicas, port, skipped: 0 });
}

/** Every text of an answer, section by section. */
const texts = ({ blocks }: Answer): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'section') return [block.text?.text ?? ''];
    return block.type === 'context'
      ? block.elements.flatMap((one) => ('text' in one ? one.text : []))
      : [];
  });
const shown = (answer: Answer): string => texts(answer).join('\n');
const kind = (answer: Answer, name: string): string =>
  texts(answer).find((text) => text.startsWith(`*${name}*`)) ?? '';

describe('the addresses of a workload', () => {
  it('say first where it answers, one address per line to be copied, each with its use', () => {
    const answer = show({ port: 8080 });

    expect(answer.text).toContain('`cart-a1b2c3d4e5f6g.apps.example`, and in 2 locations');
    expect(kind(answer, 'Canonical')).toContain('– for clients anywhere');
    expect(kind(answer, 'One location').split('\n').slice(1)).toEqual([
      '`cart-a1b2c3d4e5f6g.aws-eu.loc.example` aws-eu',
      '`cart-a1b2c3d4e5f6g.gcp-us.loc.example` gcp-us',
    ]);
    expect(kind(answer, 'Internal')).toContain('\n`cart.shop.internal.example:8080`');
    expect(kind(answer, 'Container to container')).toContain('\n`http://web:8080`');
    expect(answer).toMatchObject({ shareable: true, needs: 'orgs' });
    expect(answer.buttons).toEqual([
      expect.objectContaining({ action_id: 'workload.probe', value: 'acme/shop/cart' }),
    ]);
  });

  it('custom domains stand in the status of the workload, which no endpoint here lists', () => {
    expect(kind(show(), 'Custom domains')).toContain(
      'one endpoint for each domain route that uses it; no endpoint that Purser can read lists them',
    );
  });

  it('replica indexes run from 0 to the replica count less one', () => {
    const replicas = kind(show({ replicas: 3 }), 'One replica');

    expect(replicas).toContain('stateful workloads only');
    expect(replicas.match(/g-\d\.aws-eu/g)).toEqual(['g-0.aws-eu', 'g-1.aws-eu', 'g-2.aws-eu']);
    expect(kind(show(), 'One replica').match(/g-\d\.\S+/g)).toHaveLength(2);
    expect(kind(show(), 'One replica')).toContain('no replicas now in 1 location');
  });

  it('replica hostnames are constructed, not discovered', () => {
    expect(shown(show())).toContain(
      'Addresses of replicas are constructed, not discovered: indexes run from 0',
    );
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
      reported: [{ location: 'aws-eu', endpoint: undefined, replicas: 1 }],
    });

    expect(shown(answer)).toContain(
      '`{global_domain}`: whoever runs Purser has to set GLOBAL_DOMAIN',
    );
    expect(shown(answer)).toContain('LOCATION_DOMAIN');
    expect(shown(answer)).toContain('INTERNAL_DOMAIN');
    expect(shown(answer)).toContain(
      '`&lt;gvcAlias&gt;`: no deployment of shop reports an endpoint',
    );
  });

  it('say that the platform reports another domain than LOCATION_DOMAIN', () => {
    const answer = show({ brand: { ...brand, locationDomain: 'old.example' } });

    expect(shown(answer)).toContain('`loc.example` where LOCATION_DOMAIN says otherwise');
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
    expect(kind(answer, 'One replica')).toContain('… and in 11 more locations, alike');
    expect(shown(answer).length).toBeLessThan(LIMITS.messageCharacters);
    expect(Math.max(...texts(answer).map(({ length }) => length))).toBeLessThan(LIMITS.sectionText);
    expect(shown(answer)).not.toMatch(/… and \d+ more$/m);
  });
});

describe('a workload of which no deployment is reported', () => {
  it('has no known addresses, in one sentence', () => {
    expect(notReported('acme', target, 0).text).toBe(
      '*shop/cart* in org acme: no deployments are reported, so its locations and addresses are not known; a new workload appears after its first report.',
    );
    expect(notReported('acme', target, 2).text).toContain('no deployment can be read');
  });
});
