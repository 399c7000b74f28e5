import { systemClock } from '../../../src/lib/clock.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createDeliverer } from '../../../src/notify/deliver.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { connectTo, realSender, silentLogger } from './support.ts';

/** A process that delivers one channel, made to be killed. */
const [redisUrl = '', prefix = '', slackUrl = '', channel = ''] = process.argv.slice(2);

const redis = await connectTo(redisUrl);
const keys = createKeys(prefix);

await createDeliverer({
  redis,
  keys,
  outbox: createOutbox(redis, keys, (text) => text),
  wake: () => Promise.resolve(),
  opsChannel: 'C0OPS',
  sender: realSender(slackUrl, undefined, 30_000),
  clock: systemClock,
  logger: silentLogger,
  deliveries: createMetrics().counter('deliveries', 'Messages by what became of them'),
  stopping: new AbortController().signal,
}).deliver(channel);
