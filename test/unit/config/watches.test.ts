import { describe, expect, it } from 'vitest';
import { OUTCOMES, parseWatches } from '../../../src/config/watches.ts';
import { readTarget } from '../../../src/platform/deployments/target.ts';
import { UsageError } from '../../../src/lib/errors.ts';

import * as fc from '../../support/fast-check.ts';

function read(text: string) {
  const problems: string[] = [];
  const watches = parseWatches(text, (message) => problems.push(message));
  return { watches, problems };
}

function isTarget(text: string): boolean {
  try {
    readTarget(text);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

describe('the watches of the environment', () => {
  it('reads every part of an entry', () => {
    const { watches, problems } = read(
      'acme/shop; acme/shop/cart=C0TEAM:ready, failed!;; beta/x!;',
    );

    expect(problems).toEqual([]);
    expect(watches).toEqual([
      { org: 'acme', gvc: 'shop', quiet: false },
      {
        org: 'acme',
        gvc: 'shop',
        workload: 'cart',
        channel: 'C0TEAM',
        only: ['ready', 'failed'],
        quiet: true,
      },
      { org: 'beta', gvc: 'x', quiet: true },
    ]);
  });

  it('names the mistake in each bad entry and keeps the others', () => {
    const { watches, problems } = read(
      'acme;acme/shop=#general;acme/shop:redy,what;acme/.git;acme/good;acme/shop:;acme//cart',
    );

    expect(watches).toEqual([{ org: 'acme', gvc: 'good', quiet: false }]);
    expect(problems).toEqual([
      'entry 1: write it as org/gvc[/workload][=CHANNEL][:outcome,outcome][!]',
      'entry 2: give a channel id such as C0123ABC, not a name',
      'entry 3: "redy" is not an outcome, did you mean ready?',
      `entry 3: "what" is not an outcome, choose from ${OUTCOMES.join(' ')}`,
      'entry 4: the gvc must be a name of letters, digits, dots, dashes and underscores',
      `entry 6: "" is not an outcome, choose from ${OUTCOMES.join(' ')}`,
      'entry 7: the gvc must be a name of letters, digits, dots, dashes and underscores',
    ]);
  });

  it('reads back whatever was written, part by part', () => {
    const name = fc.stringMatching(/^\w[\w.-]{0,8}$/);
    const watch = fc.record(
      {
        org: name,
        gvc: name,
        workload: name,
        channel: fc.stringMatching(/^[CGD][A-Z0-9]{4,9}$/),
        only: fc.subarray([...OUTCOMES], { minLength: 1 }),
        quiet: fc.boolean(),
      },
      { requiredKeys: ['org', 'gvc', 'quiet'] },
    );

    fc.assert(
      fc.property(fc.array(watch), (expected) => {
        const written = expected.map(
          ({ org, gvc, workload, channel, only, quiet }) =>
            `${org}/${gvc}${workload ? `/${workload}` : ''}${channel ? `=${channel}` : ''}` +
            `${only ? `:${only.join(',')}` : ''}${quiet ? '!' : ''}`,
        );

        expect(read(written.join(';'))).toEqual({ watches: expected, problems: [] });
      }),
    );
  });

  it('takes the names that a command takes, and no others', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'Z', '9', '-', '.', '_', 'é', '%') });

    fc.assert(
      fc.property(fc.oneof(name, fc.constantFrom('Shop', 'my_gvc', 'x'.repeat(128))), (gvc) => {
        expect(read(`acme/${gvc}`).problems.length === 0).toBe(isTarget(gvc));
      }),
    );
    expect(read('acme/Shop;acme/my_gvc').problems).toEqual([]);
    expect(read(`acme/${'x'.repeat(129)}`).problems).toHaveLength(1);
  });

  it('survives anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('a/=:!;,C0 #é')) }), (text) => {
        const entries = text.split(';').filter((entry) => entry.trim() !== '').length;

        const { watches, problems } = read(text);

        const failed = new Set(problems.map((problem) => problem.split(':')[0])).size;
        expect(watches.length + failed).toBe(entries);
      }),
    );
  });
});
