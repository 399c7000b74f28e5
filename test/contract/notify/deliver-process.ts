import { createOutbox } from '../../../src/notify/outbox.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { connectTo } from '../../support/redis.ts';
import { delivererOf, realSender } from './support.ts';

/** A process that delivers one channel, made to be killed. */
const [redisUrl = '', prefix = '', slackUrl = '', channel = ''] = process.argv.slice(2);

const redis = await connectTo(redisUrl);
const keys = createKeys(prefix);

await delivererOf({
  redis,
  keys,
  outbox: createOutbox(redis, keys, (text) => text),
  sender: realSender(slackUrl, undefined, 30_000),
  spacingMs: 1_000,
}).deliver(channel);
