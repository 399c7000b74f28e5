import * as fc from '../../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { canonicalAddress } from '../../../../src/features/workload/probe.ts';
import { Refusal } from '../../../../src/lib/errors.ts';

/** Where a probe may go (spec 2.14): below the configured domain, and nowhere else. */

const CART = { workload: 'cart', alias: 'k3v9q2m7x1b8d' };

function addressOf(globalDomain: string | undefined, names = CART, prefix?: string) {
  const { url, plain } = canonicalAddress(
    {
      prefix: 'svc',
      ...(globalDomain === undefined ? {} : { globalDomain }),
      orgEndpointPrefixes: new Map(prefix === undefined ? [] : [['acme', prefix]]),
    },
    'acme',
    names,
  );
  return [url.href, plain?.href];
}

describe('the canonical address', () => {
  test.each([
    ['apps.example.com', 'https://cart-k3v9q2m7x1b8d.apps.example.com/'],
    ['Apps.Example.com:8443', 'https://cart-k3v9q2m7x1b8d.apps.example.com:8443/'],
    ['apps.example.com:443', 'https://cart-k3v9q2m7x1b8d.apps.example.com/'],
    ['apps.example.com:80', 'https://cart-k3v9q2m7x1b8d.apps.example.com:80/'],
    ['apps.localhost:4000', 'http://cart-k3v9q2m7x1b8d.apps.localhost:4000/'],
    ['localhost', 'http://cart-k3v9q2m7x1b8d.localhost/'],
    ['apps.notlocalhost', 'https://cart-k3v9q2m7x1b8d.apps.notlocalhost/'],
    ['localhost.example.com', 'https://cart-k3v9q2m7x1b8d.localhost.example.com/'],
  ])('below %s', (domain, href) => {
    expect(addressOf(domain)).toEqual([href, undefined]);
  });

  test('has the org’s prefix, and one without beside it', () => {
    expect(addressOf('apps.example.com', CART, 'ax')).toEqual([
      'https://cart-k3v9q2m7x1b8d.ax.apps.example.com/',
      'https://cart-k3v9q2m7x1b8d.apps.example.com/',
    ]);
  });
});

describe('nothing is there', () => {
  test.each([
    [undefined, 'ask your Purser administrator to set GLOBAL_DOMAIN'],
    ['apps.example.com:99999', 'GLOBAL_DOMAIN is “apps.example.com:99999”, which is not a domain'],
    ['apps.123', 'GLOBAL_DOMAIN is “apps.123”, which is not a domain'],
    ['127.0.0.1', 'There is no global address to call'],
  ])('below %s', (domain, sentence) => {
    expect(() => addressOf(domain)).toThrow(sentence);
  });

  test.each([
    'evil.example/',
    'evil.example#',
    'a@evil.example',
    'a\\',
    'a:80',
    '..',
    '',
    'ä',
    'a b',
    'a\n',
    'x'.repeat(64),
  ])('of the workload “%s”', (workload) => {
    expect(() => addressOf('apps.example.com', { ...CART, workload })).toThrow(
      'does not make the name of a host',
    );
  });

  test('outside of the domain, whatever the names are', () => {
    const nasty = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-z0-9./@:#?\\%-]{0,70}$/),
      fc.domain(),
    );
    fc.assert(
      fc.property(nasty, nasty, fc.option(nasty), (workload, alias, prefix) => {
        const urls = attempt(() =>
          addressOf('apps.example.com', { workload, alias }, prefix ?? undefined),
        );
        for (const url of urls)
          expect(url).toMatch(/^https:\/\/[a-z0-9.-]+\.apps\.example\.com\/$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The addresses; empty after a refusal. */
function attempt(make: () => (string | undefined)[]): string[] {
  try {
    return make().filter((url) => url !== undefined);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
