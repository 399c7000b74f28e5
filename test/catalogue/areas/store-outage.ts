import { storeRefusesContent, storeTakesContent } from '../../../src/notify/store-outage.ts';
import type { RefusalWord } from '../../../src/store/redis.ts';
import { HOUR, MINUTE, NOW, post, type Area } from '../entry.ts';

/** Redis' words for a refusal, and their occasions. */
const WORDS: Readonly<Record<RefusalWord, string>> = {
  OOM: 'Redis is full.',
  READONLY: 'Redis is a replica.',
  MISCONF: 'Redis cannot save its data to disk.',
  NOREPLICAS: 'Redis misses its replicas.',
  NOPERM: 'The user of the bot lacks a right in Redis.',
  NOAUTH: 'Redis wants a password.',
  WRONGPASS: 'Redis has another password.',
  CLUSTERDOWN: 'The cluster has no primary for the keys of the bot.',
  ERR: 'Redis refuses for a reason of its own words.',
};

export const storeOutages: Area = {
  id: 'store-outages',
  title: 'Redis takes no writes: reported to those who run Purser',
  entries: [
    ...(Object.keys(WORDS) as RefusalWord[]).map((word) =>
      post(`store-refuses-${word.toLowerCase()}`, WORDS[word], () =>
        storeRefusesContent({ word, since: NOW - 2 * MINUTE }),
      ),
    ),
    post('store-takes', 'Redis takes writes again: the message is edited.', () =>
      storeTakesContent({ word: 'OOM', since: NOW - 3 * HOUR - 5 * MINUTE }, NOW),
    ),
  ],
};
