import { describe, expect, it, test } from 'vitest';
import {
  addressesOf,
  endpointOf,
  type AddressQuestion,
} from '../../../../src/platform/workload/addresses.ts';
import * as fc from '../../../support/fast-check.ts';

const ALIAS = 'a1b2c3d4e5f6g';

const brand = {
  prefix: 'svc',
  globalDomain: 'apps.example',
  locationDomain: 'loc.example',
  internalDomain: 'internal.example',
  orgEndpointPrefixes: new Map([['acme', 'acme-eu']]),
};

const at = (location: string, replicas?: number) => ({
  location,
  endpoint: `https://cart-${ALIAS}.${location}.loc.example/`,
  replicas,
});

const ask = (changes: Partial<AddressQuestion> = {}) =>
  addressesOf({
    brand,
    org: 'acme',
    gvc: 'shop',
    workload: 'cart',
    alias: ALIAS,
    reported: [at('aws-eu', 2), at('gcp-us', 3)],
    containers: ['web', 'sidecar'],
    port: 8080,
    ...changes,
  });

describe('the addresses of a workload', () => {
  it('canonical: workload-alias.global domain', () => {
    expect(ask().canonical).toBe(`cart-${ALIAS}.apps.example`);
  });

  it('canonical with an org prefix: workload-alias.prefix.global domain', () => {
    expect(ask().canonicalWithPrefix).toEqual({
      host: `cart-${ALIAS}.acme-eu.apps.example`,
      known: true,
    });
    expect(ask({ org: 'initech' }).canonicalWithPrefix).toEqual({
      host: `cart-${ALIAS}.<orgEndpointPrefix>.apps.example`,
      known: false,
    });
  });

  it('of a location: workload-alias.location.location domain, one for each', () => {
    expect(ask().locations.map(({ host }) => host)).toEqual([
      `cart-${ALIAS}.aws-eu.loc.example`,
      `cart-${ALIAS}.gcp-us.loc.example`,
    ]);
  });

  it('of a replica: workload-alias-index.location.location domain', () => {
    expect(ask().locations[1]?.replica(2)).toBe(`cart-${ALIAS}-2.gcp-us.loc.example`);
    expect(ask().locations[1]?.replica()).toBe(`cart-${ALIAS}-<replicaIndex>.gcp-us.loc.example`);
  });

  it('internal: workload.gvc.internal domain and port', () => {
    expect(ask().internal).toBe('cart.shop.internal.example:8080');
    expect(ask({ port: undefined }).internal).toBe('cart.shop.internal.example:<port>');
  });

  it('of a replica, internally: replica-index.workload.location.gvc.internal domain and port', () => {
    expect(ask().locations[0]?.internalReplica(0)).toBe(
      'replica-0.cart.aws-eu.shop.internal.example:8080',
    );
  });

  it('of containers of one workload: http://container:port', () => {
    expect(ask().containers).toEqual(['http://web:8080', 'http://sidecar:8080']);
    expect(ask({ containers: [], port: undefined }).containers).toEqual([
      'http://<containerName>:<port>',
    ]);
  });

  it('count the replicas that are reported, unless a number is named', () => {
    const replicas = (changes: Partial<AddressQuestion>) =>
      ask(changes).locations.map((one) => one.replicas);

    expect(replicas({})).toEqual([2, 3]);
    expect(replicas({ replicas: 5 })).toEqual([5, 5]);
    expect(replicas({ reported: [at('aws-eu'), at('gcp-us', 0)] })).toEqual([undefined, 0]);
  });
});

describe('the endpoints that the platform reports', () => {
  it('counts where LOCATION_DOMAIN says something else, which is reported', () => {
    const other = ask({
      reported: [{ ...at('aws-eu'), endpoint: `http://cart-${ALIAS}.aws-eu.new.example:8443/` }],
    });

    expect(other.locations[0]?.host).toBe(`cart-${ALIAS}.aws-eu.new.example:8443`);
    expect(other.locations[0]?.replica(0)).toBe(`cart-${ALIAS}-0.aws-eu.new.example:8443`);
    expect(other.otherDomain).toBe('new.example:8443');
    expect(ask().otherDomain).toBeUndefined();
  });

  it('counts in each location by itself', () => {
    const moved = { ...at('gcp-us'), endpoint: `https://cart-${ALIAS}.gcp-us.new.example/` };

    expect(ask({ reported: [at('aws-eu'), moved] }).locations[1]?.replica(0)).toBe(
      `cart-${ALIAS}-0.gcp-us.new.example`,
    );
  });

  it('fills in a location that reports no endpoint, and a domain that is not configured', () => {
    const { locations, missing } = ask({
      brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
      reported: [at('aws-eu'), { location: 'gcp-us', endpoint: undefined, replicas: 1 }],
    });

    expect(locations[1]?.host).toBe(`cart-${ALIAS}.gcp-us.loc.example`);
    expect(missing).toEqual(['GLOBAL_DOMAIN', 'INTERNAL_DOMAIN']);
  });

  it('is shown as it is where it has a form of its own', () => {
    const odd = ask({
      reported: [{ ...at('aws-eu'), endpoint: 'https://cart.special.example/' }],
    });

    expect(odd.locations[0]?.host).toBe('cart.special.example');
    expect(odd.canonical).toBe(`cart-${ALIAS}.apps.example`);
  });

  it('is no endpoint at all, and no alias: placeholders take their place', () => {
    const reported = [{ location: 'aws-eu', endpoint: undefined, replicas: undefined }];

    const bare = { prefix: 'svc', orgEndpointPrefixes: new Map<string, string>() };
    const unknown = ask({ reported, alias: undefined, brand: bare });
    expect(unknown.canonical).toBe('cart-<gvcAlias>.{global_domain}');
    expect(unknown.locations[0]?.host).toBe('cart-<gvcAlias>.aws-eu.{location_domain}');
    expect(unknown.internal).toBe('cart.shop.{internal_domain}:8080');
    expect(unknown.missing).toEqual(['GLOBAL_DOMAIN', 'LOCATION_DOMAIN', 'INTERNAL_DOMAIN']);
  });

  it('is not believed of a location that is another one', () => {
    const elsewhere = { ...at('aws-eu'), endpoint: `https://cart-${ALIAS}.gcp-us.other.example/` };

    expect(ask({ reported: [elsewhere] }).otherDomain).toBeUndefined();
    expect(ask({ reported: [elsewhere] }).locations[0]?.replica(0)).toContain('.loc.example');
  });

  it('may come without a scheme', () => {
    const endpoint = `cart-${ALIAS}.aws-eu.new.example:8443/`;
    const { locations, otherDomain } = ask({ reported: [{ ...at('aws-eu'), endpoint }] });

    expect(locations[0]?.host).toBe(`cart-${ALIAS}.aws-eu.new.example:8443`);
    expect(otherDomain).toBe('new.example:8443');
  });

  it.each(['pending', 'not ready.yet, sorry', 'cart.', 'mailto:me@example.com'])(
    'is no host when it is “%s”: the default host takes its place',
    (endpoint) => {
      expect(ask({ reported: [{ ...at('aws-eu'), endpoint }] }).locations[0]?.host).toBe(
        `cart-${ALIAS}.aws-eu.loc.example`,
      );
    },
  );
});

const CART = { workload: 'cart', location: 'aws' };

describe('an endpoint of a workload in a location', () => {
  it('gives the alias of the GVC, the host, and the domain of locations', () => {
    const place = { workload: 'cart', location: 'aws-eu' };

    expect(endpointOf('https://cart-a1b2c3d4e5f6g.aws-eu.loc.example/', place)).toEqual({
      alias: 'a1b2c3d4e5f6g',
      host: 'cart-a1b2c3d4e5f6g.aws-eu.loc.example',
      scheme: 'https',
      location: 'aws-eu',
      domain: 'loc.example',
    });
  });

  it.each([
    ['over HTTP', 'http://cart-a1.aws.loc.example/', { scheme: 'http' }],
    ['with a port', 'https://cart-a1.aws.loc.example:8443/', { domain: 'loc.example:8443' }],
    ['in upper case', 'HTTPS://Cart-A1.AWS.Loc.Example/', { alias: 'a1', location: 'aws' }],
    ['without a slash at the end', 'https://cart-a1.aws.loc.example', { alias: 'a1' }],
    ['without a scheme', 'cart-a1.aws.loc.example/', { scheme: 'https', alias: 'a1' }],
    ['as a host alone', 'cart-a1.aws.loc.example', { host: 'cart-a1.aws.loc.example' }],
    ['as a host with a port', 'cart-a1.aws.loc.example:8443', { domain: 'loc.example:8443' }],
    ['below a domain of one part', 'http://cart-a1.aws.localhost:8080/', { alias: 'a1' }],
  ])('is read %s', (_, endpoint, part) => {
    expect(endpointOf(endpoint, CART)).toMatchObject(part);
  });

  it.each([
    ['no address', 'cart-a1'],
    ['nothing', ''],
    ['a path', 'cart-a1/aws.loc.example'],
    ['of another location', 'https://cart-a1.gcp.loc.example/'],
    ['of another workload', 'https://pay-a1.aws.loc.example/'],
    ['of one whose name begins alike', 'https://cart-api-a1.aws.loc.example/'],
    ['of a replica', 'https://cart-a1-0.aws.loc.example/'],
    ['without a location', 'https://cart-a1.example/'],
    ['with a path', 'https://cart-a1.aws.loc.example/shop'],
    ['with a credential', 'https://me:pass@cart-a1.aws.loc.example/'],
    ['of another scheme', 'ftp://cart-a1.aws.loc.example/'],
  ])('is not taken for one when it is %s', (_, endpoint) => {
    expect(endpointOf(endpoint, CART)).toBeUndefined();
  });

  test('is read whatever the names are', () => {
    const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const alias = fc.stringMatching(/^[a-z0-9]{13}$/);
    fc.assert(
      fc.property(label, alias, label, (workload, known, location) => {
        const endpoint = `https://${workload}-${known}.${location}.loc.example/`;

        expect(endpointOf(endpoint, { workload, location })).toMatchObject({ alias: known });
        expect(endpointOf(endpoint.slice('https://'.length), { workload, location })).toEqual(
          endpointOf(endpoint, { workload, location }),
        );
      }),
    );
  });
});
