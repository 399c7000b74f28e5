import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it, test } from 'vitest';
import { endpointOf } from '../../../../src/platform/workload/endpoint.ts';

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
