import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addressesAnswer } from '../../../../src/features/workload/addresses.ts';
import { addressesOf, type AddressQuestion } from '../../../../src/platform/workload/addresses.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { tableOf } from '../../../support/answer.ts';

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

function show(changes: Partial<AddressQuestion>, page = 1): Answer {
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
    cron: false,
    replicas,
    port,
    skipped: 0,
    page,
  });
}

describe('the addresses of a workload', () => {
  it('have pages for more replicas than Slack shows, and none is cut', () => {
    const first = show({ replicas: 1_000 });
    const pages = Array.from({ length: first.pages ?? 0 }, (_, index) =>
      show({ replicas: 1_000 }, index + 1),
    );
    const rows = pages.flatMap((one) => tableOf(one).slice(1));

    expect(rows).toHaveLength(2_000);
    expect(rows.at(-1)?.[3]).toBe('replica-999.cart.gcp-us.shop.internal.example:<port>');
    expect(pages.at(-1)?.asked).toMatchObject({
      question: { org: 'acme', target, replicas: 1_000 },
      page: first.pages,
    });
  });

  it('of replicas are calculated, and those of custom domains are elsewhere', () => {
    const all = JSON.stringify(show({}));

    expect(all).toContain('*Single replicas* – calculated from their number');
    expect(all).toContain('Custom domains are in the status of the workload');
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
