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

it('every address of a workload has the form of section 2.14', () => {
  const { canonical, canonicalWithPrefix, locations, internal, containers } = ask();
  const [, there] = locations;

  expect(canonical).toBe(`cart-${ALIAS}.apps.example`);
  expect(canonicalWithPrefix.host).toBe(`cart-${ALIAS}.acme-eu.apps.example`);
  expect(there?.host).toBe(`cart-${ALIAS}.gcp-us.loc.example`);
  expect(there?.replica(2)).toBe(`cart-${ALIAS}-2.gcp-us.loc.example`);
  expect(there?.internalReplica(0)).toBe('replica-0.cart.gcp-us.shop.internal.example:8080');
  expect(internal).toBe('cart.shop.internal.example:8080');
  expect(containers).toEqual(['http://web:8080', 'http://sidecar:8080']);
});

it('the replicas are those that are reported, unless a number is named', () => {
  const replicas = (changes: Partial<AddressQuestion>) =>
    ask(changes).locations.map((one) => one.replicas);

  expect(replicas({ reported: [at('aws-eu'), at('gcp-us', 0)] })).toEqual([undefined, 0]);
  expect(replicas({ replicas: 5 })).toEqual([5, 5]);
});

describe('the endpoints that the platform reports', () => {
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
  it('gives the alias of the GVC and the domain of locations', () => {
    const place = { workload: 'cart', location: 'aws-eu' };

    expect(endpointOf('https://cart-a1b2c3d4e5f6g.aws-eu.loc.example/', place)).toEqual({
      alias: 'a1b2c3d4e5f6g',
      domain: 'loc.example',
    });
  });

  it.each([
    ['over HTTP', 'http://cart-a1.aws.loc.example/', { alias: 'a1' }],
    ['with a port', 'https://cart-a1.aws.loc.example:8443/', { domain: 'loc.example:8443' }],
    ['in upper case', 'HTTPS://Cart-A1.AWS.Loc.Example/', { alias: 'a1', domain: 'loc.example' }],
    ['without a slash at the end', 'https://cart-a1.aws.loc.example', { alias: 'a1' }],
    ['without a scheme', 'cart-a1.aws.loc.example/', { alias: 'a1' }],
    ['as a host alone', 'cart-a1.aws.loc.example', { alias: 'a1' }],
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
