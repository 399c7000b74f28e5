import { describe, expect, it } from 'vitest';
import { createRequestCount } from '../../../src/changes/context.ts';
import { createRequestService } from '../../../src/changes/request.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { requestedBy } from '../../support/changes.ts';
import { useConnection } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { ADA, BEN, fakeContext } from '../../unit/changes/fake-context.ts';
import { freshPrefix } from '../slack/support.ts';

const connection = useConnection();
const DAY_MS = 86_400_000;
const TOO_MANY =
  /^You have made 20 requests, the most that one person can make in a day: go on in (?:1 d|23 h 59 min)\.$/;

/** Requests of people who are counted in a Redis of their own. */
function start() {
  const { redis } = connection;
  const keys = createKeys(freshPrefix());
  const countRequests = createRequestCount({ redis, keys });
  const { context } = fakeContext();
  const requests = createRequestService({
    ...context,
    countRequests,
    changes: { ...context.changes, create: async () => ({ made: true }) },
  });
  return {
    redis,
    key: keys.personRequests(ADA.userId),
    requests,
    request: (person = ADA) =>
      requestedBy(requests, person, { kind: 'alert.replace', amount: 500, enabled: true }),
  };
}

describe('the requests of a person', () => {
  it('are 20 in a day, and go on on the next one', async () => {
    const { redis, key, request, requests } = start();
    for (let count = 1; count <= 20; count += 1) await request();

    expect(await requests.limit(ADA)).toMatch(TOO_MANY);
    await expect(request()).rejects.toThrow(TOO_MANY);
    expect(await requests.limit(BEN)).toBeUndefined();
    await expect(request(BEN)).resolves.toMatchObject({ kind: 'requested' });

    // The day is over by the clock of Redis.
    await redis.pexpire(key, 1);
    await until('the end of the day', async () => (await redis.exists(key)) === 0);
    await expect(request()).resolves.toMatchObject({ kind: 'requested' });
  });

  it('are counted from the first one on: a later one does not move the end', async () => {
    const { redis, key, request, requests } = start();
    await requests.limit(ADA);
    expect(await redis.exists(key)).toBe(0);

    await request();
    expect(await redis.pttl(key)).toBeGreaterThan(DAY_MS - 60_000);
    await redis.pexpire(key, 60_000);
    await request();
    expect(await redis.pttl(key)).toBeLessThanOrEqual(60_000);
  });
});
