import { systemClock } from '../../../src/lib/clock.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createDeliverer } from '../../../src/notify/deliver.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { connectTo, realSender, silentLogger } from './support.ts';

/** A process that delivers one channel, made to be killed. */
const [redisUrl = '', prefix = '', slackUrl = '', channel = ''] = process.argv.slice(2);

await createDeliverer({
  redis: await connectTo(redisUrl),
  keys: createKeys(prefix),
  sender: realSender(slackUrl, undefined, 30_000),
  clock: systemClock,
  logger: silentLogger,
  deliveries: createMetrics().counter('deliveries', 'Messages by what became of them'),
  stopping: new AbortController().signal,
}).deliver(channel);
