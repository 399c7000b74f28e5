import { expect, it } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { createPersonLimit } from '../../../../src/slack/routing/person-limit.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { freshPrefix } from '../support.ts';

const logger = createLogger({ level: 'silent', secrets: [] });
const connection = useConnection();
const keys = createKeys(freshPrefix());

it('20 come at once, the next has to wait, writes nothing, and takes no token of another person', async () => {
  const { redis } = connection;
  const take = createPersonLimit({ redis, keys, logger, config: { personLimit: 30 } });

  for (let sent = 0; sent < 20; sent += 1) expect(await take('U0ADA')).toBeUndefined();
  const before = await redis.get(keys.personLimit('U0ADA'));
  expect(await take('U0ADA')).toMatch(/go on in \d s\.$/);
  expect(await redis.get(keys.personLimit('U0ADA'))).toBe(before);
  expect(await redis.pttl(keys.personLimit('U0ADA'))).toBeLessThanOrEqual(40_000);
  expect(await take('U0BEN')).toBeUndefined();

  redis.disconnect();
  expect(await take('U0ADA')).toBeUndefined();
});
