import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { useConnection } from '../../../support/redis.ts';
import {
  failure,
  LAB,
  openOutages,
  PAY,
  SHOP,
  SHOP_DOWN,
  UNREACHABLE,
  type OutageHarness,
} from './harness.ts';

const server = useConnection();
let harness: OutageHarness;
beforeEach(() => {
  harness = openOutages(server.redis);
});

describe('a failure', () => {
  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
    ['bad-request', undefined],
  ] as const)(
    'with a key (%s) is reported for its org, with the next step',
    async (reason, status) => {
      await harness.fails(SHOP);
      await harness.fails(PAY, failure(reason, status));
      await harness.fails(LAB, failure(reason, status));

      const [, pay, lab] = await harness.reported();
      expect(pay).toMatchObject({ key: 'acme/pay/@api/down/1' });
      expect(pay?.text).toContain('key of org acme');
      expect(pay?.text).toContain('ORG_TOKENS');
      expect(lab?.text).toContain('key of org labs');
    },
  );

  it.each([
    ['unreachable', undefined, 'to check `API_URL` and the network between'],
    ['timeout', undefined, 'to check `API_URL` and the network between'],
    ['server-error', 500, 'whether the platform has an incident'],
    ['unavailable', 503, 'whether the platform has an incident'],
  ] as const)(
    'with the platform (%s) names a question for its operators',
    async (reason, status, remedy) => {
      await harness.fails(SHOP, failure(reason, status));

      const [down] = await harness.reported();
      const step = `If this lasts, ask your Purser administrator ${remedy}`;
      expect(down?.text).toContain(`· 1 GVC cannot be read\nacme/shop\n`);
      expect(down?.text).toContain(`\nNext: ${step}\n`);
      expect(JSON.stringify(down?.blocks)).toContain(
        `This does not mean that workloads are down: Purser cannot see them. Until it can, you get *no alerts* for them; then it posts what changed.\\nPurser goes on asking\\n→ ${step}`,
      );
    },
  );

  it('with GVCs that are not found is one message for those of an org', async () => {
    const gone = failure('not-found', 404);
    for (const place of [SHOP, PAY, LAB]) await harness.fails(place, gone);

    expect(await harness.reportedKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1`,
      'labs/lab/@api/down/1',
    ]);
    const [both, lab] = await harness.reported();
    expect(both?.text).toMatch(
      /^⚪ 2 watched GVCs are not found\nacme\/pay, acme\/shop\nYou get no alerts for them\.\n.*\nNext: If this was not meant, restore them; else end their watches, or ask .* see them\n/,
    );
    expect(lab?.text).toMatch(
      /^⚪ GVC labs\/lab is not found\nYou get no alerts for it\.\n.*\nNext: .* see it\n/,
    );

    await harness.outages().worked(PAY);
    expect((await harness.reported())[0]?.text).toMatch(
      /^⚪ GVC acme\/shop is not found\nBack again/,
    );
  });

  it('with a GVC that is not found a day after another is a message of its own', async () => {
    const gone = failure('not-found', 404);
    await harness.fails(SHOP, gone);
    harness.now += DAY_MS;
    await harness.fails(SHOP, gone, 4);
    await harness.fails(PAY, gone);

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN, 'acme/pay/@api/down/1']);
  });

  it('in Purser itself is reported once for all GVCs that it fails for', async () => {
    await harness.fails(SHOP, new TypeError('a defect'));
    await harness.fails(LAB, new RangeError('another'));

    const [defect, ...others] = await harness.reported();
    expect(others).toEqual([]);
    expect(defect?.text).toContain('Purser has an internal error · 2 GVCs cannot be read');
    expect(defect?.text).toContain(
      'Next: Ask your Purser administrator to read the error in Purser’s log',
    );
    expect(JSON.stringify(defect)).not.toContain('a defect');
  });

  it.each([
    ['malformed', 200, 'the pages of the list do not come to an end'],
    ['malformed', undefined, 'the answer is not a list'],
    ['too-large', 200, 'the answer is larger than 5 bytes'],
    ['redirected', undefined, 'a link leads away from https://api.example.test'],
  ] as const)(
    'with an answer (%s, %s) is reported in a sentence',
    async (reason, status, sentence) => {
      await harness.fails(SHOP, new PlatformError(reason, sentence, { status }));

      const [down] = await harness.reported();
      const next =
        reason === 'too-large'
          ? '\\n→ Ask your Purser administrator to look'
          : '. Purser goes on asking\\n→ ';
      expect(JSON.stringify(down?.blocks)).toContain(`Purser says: ${sentence}${next}`);
    },
  );

  it('never shows the platform’s answer', async () => {
    for (const [index, reason] of (
      ['unreachable', 'unauthorized', 'not-found', 'redirected', 'bad-request'] as const
    ).entries()) {
      await harness.fails({ org: 'acme', gvc: `gvc-${index}` }, failure(reason, 400));
    }

    expect(JSON.stringify(await harness.reported())).not.toContain('svc-secret-body');
  });

  it('moves to where it belongs when it fails in another way for three polls', async () => {
    await harness.fails(SHOP);
    await harness.outages().failed(SHOP, 4, failure('unauthorized', 401));
    await harness.outages().failed(SHOP, 5, UNREACHABLE);
    await harness.outages().failed(SHOP, 6, failure('unauthorized', 401));
    await harness.outages().failed(SHOP, 7, failure('unauthorized', 401));
    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN]);
    await harness.outages().failed(SHOP, 8, failure('unauthorized', 401));

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/down/2']);
    await harness.outages().worked(SHOP);
    expect((await harness.reportedKeys()).at(-1)).toBe('acme/shop/@api/up/2');
  });
});
