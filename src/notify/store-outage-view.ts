import type { KnownBlock } from '@slack/types';
import { formatDuration } from '../lib/text.ts';
import { code, context, joinMrkdwn, moment, mrkdwn, section, topText } from '../slack/kit/index.ts';
import type { Mrkdwn } from '../slack/kit/index.ts';
import type { RefusalWord } from '../store/refusal.ts';

interface Content {
  text: string;
  blocks: KnownBlock[];
}

/** Redis refuses writes. `since`: milliseconds since the epoch. */
interface Outage {
  word: RefusalWord;
  since: number;
}

const WRONG = mrkdwn`Purser’s store takes no writes, so nothing is watched, told or carried out.`;
const GOES_ON = mrkdwn`Nothing that was accepted is lost, and Purser goes on by itself.`;

function fixOf(word: RefusalWord): Mrkdwn {
  switch (word) {
    case 'OOM':
      return mrkdwn`Redis is full: give it more memory (${code('maxmemory')}).`;
    case 'READONLY':
      return mrkdwn`It is a replica: name the primary in ${code('REDIS_URL')}.`;
    case 'MISCONF':
      return mrkdwn`It cannot save: look into the log of Redis, and whether its disk is full.`;
    case 'NOREPLICAS':
      return mrkdwn`Too few of its replicas are there: look into the log of Redis, or lower ${code('min-replicas-to-write')}.`;
    case 'NOPERM':
    case 'NOAUTH':
      return mrkdwn`The user of ${code('REDIS_URL')} lacks a right: allow it all commands on the keys of ${code('REDIS_PREFIX')}.`;
    case 'ERR':
      return mrkdwn`Look into the log of Purser for what Redis says.`;
  }
}

/** Told once, by the first worker that finds it. */
export function storeRefusesContent({ word, since }: Outage): Content {
  const todo = mrkdwn`${fixOf(word)} ${GOES_ON}`;
  return {
    text: topText(mrkdwn`${WRONG} (${word}) ${todo}`),
    blocks: [
      section(mrkdwn`:no_entry: *${WRONG}*\n${todo}`),
      context(joinMrkdwn([mrkdwn`Redis says ${code(word)}`, moment(since)], ' · ')),
    ],
  };
}

/** The same message when it takes them again. `now`: milliseconds since the epoch. */
export function storeTakesContent({ word, since }: Outage, now: number): Content {
  const over = mrkdwn`Purser’s store takes writes again, after ${formatDuration(now - since)}: everything goes on.`;
  return {
    text: topText(mrkdwn`${over} (${word})`),
    blocks: [
      section(mrkdwn`:white_check_mark: *${over}*`),
      context(joinMrkdwn([mrkdwn`Redis said ${code(word)}`, moment(since)], ' · ')),
    ],
  };
}
