import { describe, expect, test } from 'vitest';

import { spoken, tableOf } from '../../../support/answer.ts';

import {
  type ProbeCall,
  type ProbeView,
  notServingOf,
  probeAnswer,
  readyIn,
} from '../../../../src/features/workload/probe-view.ts';

import {
  broken,
  cron,
  deployment,
  idle,
  ready,
  stale,
  suspended,
  type Json,
} from '../../rollouts/platform-json.ts';

/** The answer of a replica (spec 4.4, debug headers). */

const WEST = 'aws-us-west-2';
const EUROPE = 'gcp-europe-west4';

const from = (location: string | undefined, replica?: string, status = 200): ProbeCall => {
  return { status, location, replica, ms: 12 };
};
const bare = (status: number): ProbeCall => from(undefined, undefined, status);

function answerTo(calls: readonly ProbeCall[], more: Partial<ProbeView> = {}) {
  const answer = probeAnswer({
    org: 'acme',
    target: { gvc: 'shop', workload: 'cart' },
    url: new URL('https://cart-k3v9q2m7x1b8d.apps.example.com/'),
    unknown: undefined,
    header: 'x-svc-debug',
    calls,
    notServing: undefined,
    ready: [WEST, EUROPE],
    ...more,
  });
  const kinds = answer.blocks.map(({ type }) => type);
  return {
    ...answer,
    text: spoken({ blocks: answer.blocks.slice(0, 1) }).replaceAll('\n', ' · '),
    kinds,
    all: JSON.stringify(answer),
  };
}

describe('the head', () => {
  test('says so when only one of the two headers is there', () => {
    expect(answerTo([from(WEST)]).text).toContain('1 of 1 call answered · 1 from aws-us-west-2');
    expect(answerTo([from(undefined, 'a')]).text).toContain(
      'from 1 replica; none says its location',
    );
  });

  test('says that nothing answered, without a table of nothing', () => {
    const { text, kinds } = answerTo([{ why: 'refused' }, { why: 'refused' }]);
    expect(text).toBe('shop/cart in org acme: no answer to 2 calls: connection refused');
    expect(kinds).toEqual(['section', 'section', 'context']);
  });

  test('says that the workload fails, where every answer says so', () => {
    expect(answerTo([bare(503), bare(503)]).text).toBe(
      '🔴 shop/cart in org acme: 2 of 2 calls got 503',
    );
    expect(answerTo([bare(503), bare(500), bare(503)]).text).toBe(
      '🔴 shop/cart in org acme: none of 3 calls went well: 503 ×2, 500',
    );
  });

  test('names the outcomes of the other calls', () => {
    const calls = [from(WEST, 'a'), from(EUROPE, 'b', 503), { why: 'timeout' as const }, bare(404)];
    expect(answerTo(calls).text).toBe(
      '🟠 shop/cart in org acme: 1 of 4 calls went well · 1 from aws-us-west-2 (1 replica) · the others: 404, 503, timed out',
    );
  });
});

test('the table has a row for each call, answered or not', () => {
  expect(tableOf(answerTo([from(WEST, 'cart-1'), { why: 'timeout' }, bare(204)]))).toEqual([
    ['Call', 'Status', 'Location', 'Replica', 'Time'],
    ['1', '200', WEST, 'cart-1', '12 ms'],
    ['2', 'timed out', '–', '–', '–'],
    ['3', '204', '–', '–', '12 ms'],
  ]);
});

describe('the explanations of a probe', () => {
  test('is nothing where all went well', () => {
    const { kinds } = answerTo([from(WEST, 'a'), from(EUROPE, 'b')]);
    expect(kinds).toEqual(['section', 'table', 'context']);
  });

  test.each([
    [301, 'It redirects (301), and Purser does not follow'],
    [403, 'It refuses calls from here (403)'],
    [404, 'Not found (404)'],
    [429, 'It asks for fewer calls (429)'],
    [500, 'It fails (500): check with `/deployments shop/cart`'],
  ])('%d, once', (status, sentence) => {
    const { all } = answerTo([bare(status), bare(status)]);
    expect(all.split(sentence)).toHaveLength(2);
    expect(status >= 400 && all.includes('are missing')).toBe(false);
  });

  test('name how many calls they are about, where others went well', () => {
    const { all } = answerTo([from(WEST, 'a'), from(EUROPE, 'b'), { why: 'timeout' }, bare(401)]);

    expect(all).toContain('1 of 4 calls: no answer came in time');
    expect(all).toContain('1 of 4 calls: it wants a login (401)');
    expect(all).not.toMatch(/Some answers lack|are missing/);
  });

  test.each([
    ['unknown-name', 'The name `cart-k3v9q2m7x1b8d.apps.example.com` does not exist'],
    ['refused', 'Nothing listens at `cart-k3v9q2m7x1b8d.apps.example.com`'],
    ['certificate', 'The certificate at `cart-k3v9q2m7x1b8d.apps.example.com` is not valid'],
    ['no-tls', 'There is no HTTPS at `cart-k3v9q2m7x1b8d.apps.example.com`'],
    ['unreadable', 'does not answer in readable HTTP'],
    ['other', 'The connection to `cart-k3v9q2m7x1b8d.apps.example.com` failed'],
  ] as const)('no answer: %s, once', (why, sentence) => {
    const { all } = answerTo([{ why }, { why }]);
    expect(all.split(sentence)).toHaveLength(2);
    expect(all).not.toContain('are missing');
  });

  test('is why some answers have no headers, and others do', () => {
    const { all } = answerTo([from(WEST, 'a'), bare(200)]);
    expect(all).toContain('Some answers lack `x-svc-location` and `x-svc-replica`');
    expect(all).not.toContain('ready too');
  });

  test.each([
    ['unknown-name', 'the name was not found, though another call found it'],
    ['refused', 'the connection was refused, though another call was answered'],
  ] as const)('no one’s settings are blamed for %s while others are answered', (why, sentence) => {
    const { all } = answerTo([from(WEST, 'a'), from(EUROPE, 'b'), { why }]);
    expect(all).toContain(`1 of 3 calls: ${sentence}`);
    expect(all).not.toMatch(/GLOBAL_DOMAIN|Purser’s machine/);
  });

  test('is in the first line which ready location did not answer', () => {
    expect(answerTo([from(WEST, 'a')]).text).toBe(
      'shop/cart in org acme: 1 of 1 call answered · 1 from aws-us-west-2 (1 replica) · none from gcp-europe-west4, which is ready too',
    );
  });
});

describe('of a workload that may not serve at all', () => {
  test.each([
    ['cron', 'a cron workload, which serves nothing', '`/deployments jobs shop/cart`'],
    ['suspended', 'suspended in all its locations', 'once `suspend` is set to false'],
    ['idle', 'no replicas are wanted in any location', 'suspended or scaled to zero'],
    ['not-ready', 'not ready in any location', 'why it is not ready'],
  ] as const)('%s: is the first reason, and nothing else is blamed', (notServing, is, todo) => {
    for (const call of [bare(200), bare(503), { why: 'unknown-name' } as const]) {
      const { text, all } = answerTo([call], { notServing, ready: [] });

      expect(text.startsWith(`shop/cart in org acme: ${is}`)).toBe(true);
      expect(text).toMatch(
        / · (1 of 1 call answered|1 of 1 call got 503|no answer to 1 call: unknown name)/,
      );
      expect(all).toContain(todo);
      expect(all.includes('what answers may be an earlier version')).toBe('status' in call);
      expect(all).not.toMatch(/debug option|It fails|GLOBAL_DOMAIN|are missing/);
    }
  });

  test('the state of the workload is left out while every answer has an origin', () => {
    expect(answerTo([from(WEST, 'a')], { notServing: 'not-ready' }).all).not.toContain('not ready');
    expect(answerTo([from(WEST, 'a'), bare(200)], { notServing: 'not-ready' }).text).toContain(
      'not ready in any location · 2 of 2 calls answered',
    );
  });
});

describe('the reason for which a workload does not serve', () => {
  const ran = { name: 'command-x1', status: 'successful' };

  test.each<[string, Json | undefined, ReturnType<typeof notServingOf>]>([
    ['a schedule', cron(4), 'cron'],
    ['an ad-hoc command of a service', ready(4, { jobExecutions: [ran] }), undefined],
    ['an empty list of a service', ready(4, { jobExecutions: [] }), undefined],
    ['suspend', suspended(4), 'suspended'],
    ['zero replicas', idle(4), 'idle'],
    ['a failed rollout', broken(4), 'not-ready'],
    ['an old report', stale(4), undefined],
    ['no report', undefined, undefined],
  ])('%s', (_, status, is) => {
    expect(notServingOf([deployment(status)])).toBe(is);
  });

  test('a stale location is not counted as ready, whatever its flag says', () => {
    const there = [
      deployment(ready(4)),
      deployment(stale(4, { ready: true }), { location: 'lima' }),
    ];

    expect(readyIn(there)).toEqual(['oslo']);
  });
});
