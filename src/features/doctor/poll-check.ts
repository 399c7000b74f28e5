import { formatDuration, plural, withoutStop } from '../../lib/text.ts';
import { readPollStatus } from '../../rollouts/gvc-store.ts';
import type { PollStatus } from '../../rollouts/gvc-store.ts';
import { watchedGvcs } from '../../rollouts/watches.ts';
import type { WatchedGvc, Watches } from '../../rollouts/watches.ts';

import { ago, broken, doubtful, RUN_AGAIN, well } from './check.ts';
import type { Check, CheckServices, Finding } from './check.ts';

/** A watched GVC with its last poll. */
interface PolledGvc extends WatchedGvc {
  readonly pulse: PollStatus;
}

/** As in section 4 of the design: from the third failed poll in a row on it is an outage. */
const OUTAGE_FAILURES = 3;
/** A slow list takes its time, and the platform has 30 s for it. Milliseconds. */
const GRACE_MS = 30_000;
/** Times the idle pace, after which a poll is late, and after which it does not come any more. */
const LATE = 2;
const LOST = 5;

/** Whether every watched GVC is read as often as it is to be. */
export function createPollCheck(
  { redis, keys, clock, config }: CheckServices<'redis' | 'keys' | 'clock', 'polling'>,
  watches: Pick<Watches, 'all'>,
): Check {
  return {
    area: 'Watches',
    async run() {
      const gvcs = watchedGvcs(await watches.all());
      const polled = await Promise.all(
        gvcs.map(async ({ org, gvc }) => ({
          org,
          gvc,
          pulse: await readPollStatus(redis, keys, org, gvc),
        })),
      );
      return judgePolls(polled, config.polling.idleMs, clock.now());
    },
  };
}

/**
 * What is well is one finding, however many GVCs it is; that nothing is watched, the platform’s check says.
 * @param now milliseconds since the epoch, as the times of the pulses
 */
export function judgePolls(
  polled: readonly PolledGvc[],
  idleMs: number,
  now: number,
): readonly Finding[] {
  const judged = polled.map((one) => judgePoll(one, idleMs, now));
  const troubles = judged.filter((finding) => finding !== undefined);
  const fine = polled.filter((_, index) => judged[index] === undefined);
  if (fine.length === 0) return troubles;
  const oldest = Math.max(...fine.map(({ pulse }) => now - pulse.at));
  const says = `${plural(fine.length, 'GVC')} read within the last ${formatDuration(Math.max(1_000, oldest))}`;
  return [...troubles, well('Polls', says)];
}

/** Undefined when it is well. */
function judgePoll(
  { org, gvc, pulse }: PolledGvc,
  idleMs: number,
  now: number,
): Finding | undefined {
  const what = `GVC ${org}/${gvc}`;
  const { at, failures, skipped, notBefore } = pulse;
  if (failures > 0) return failing(what, pulse, now);
  if (at === 0)
    return doubtful(what, 'it was not read yet', `${RUN_AGAIN}; if it stays so, ${WORKER}`);
  const age = now - Math.max(at, notBefore);
  if (age > LOST * idleMs + GRACE_MS) {
    return broken(
      what,
      `it was last read ${ago(now - at)}, and is due every ${formatDuration(idleMs)}`,
      WORKER,
    );
  }
  if (age > LATE * idleMs + GRACE_MS) {
    return doubtful(
      what,
      `it was last read ${ago(now - at)}, which is late`,
      `${RUN_AGAIN}; if it stays so, ${WORKER}`,
    );
  }
  if (skipped === 0) return undefined;
  return doubtful(
    what,
    `${plural(skipped, 'deployment')} in it cannot be read`,
    'look into the log of Purser for "Deployments could not be read"',
  );
}

const WORKER = 'look whether a worker runs and whether the queues move';

function failing(what: string, { at, failures, error }: PollStatus, now: number): Finding {
  const last = at === 0 ? 'it was never read' : `it was last read ${ago(now - at)}`;
  const verdict = failures < OUTAGE_FAILURES ? doubtful : broken;
  return verdict(
    what,
    `${last}, and ${plural(failures, 'poll')} failed since: ${withoutStop(error)}`,
    'check its name in the watch, the key of the org in ORG_TOKENS, and what is said of the platform here',
  );
}
