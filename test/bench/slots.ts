import { setTimeout as sleep } from 'node:timers/promises';
import { offsetOf } from '../../src/rollouts/watches.ts';
import { until } from '../support/until.ts';
import { quantile, type Figure, type Open } from './measure.ts';
import { startAround, startBenchedBot, startFleet } from './processes.ts';

const GVCS = Array.from({ length: 100 }, (_, index) => `gvc-${index}`);
const EACH = 100;
/** Five times the pace of the defaults, so that a short run says much. */
const EVERY_MS = 2_000;
const MEASURED_MS = 30_000;

/** 100 GVCs of 100 deployments, of which one in a hundred changes with every poll. */
export async function benchSlots(open: Open): Promise<Figure[]> {
  const fleet = await open(startFleet(EACH, 'some'));
  const { around } = await startAround(open, fleet.url);
  const seconds = String(EVERY_MS / 1_000);
  // Nothing is to be reported, so there is no Slack.
  const starting = startBenchedBot(
    { ...around, slackUrl: 'http://127.0.0.1:1' },
    {
      ROLE: 'worker',
      WATCHES: GVCS.map((gvc) => `acme/${gvc}`).join(';'),
      POLL_ACTIVE_SECONDS: seconds,
      POLL_IDLE_SECONDS: seconds,
    },
  );
  const bot = await open(starting);
  await until('every GVC to be polled twice', async () => {
    const asked = Object.values(await fleet.asked());
    return asked.length === GVCS.length && asked.every((times) => times.length > 1);
  });
  const early = await bot.memory();
  const from = Math.ceil(Date.now() / EVERY_MS) * EVERY_MS + EVERY_MS;
  await sleep(from + MEASURED_MS + EVERY_MS - Date.now());
  const late = await bot.memory();
  return [
    ...slotFigures(await fleet.asked(), from),
    { what: 'memory after / before', ratio: late / early, target: 1.3 },
  ];
}

/** Each slot of each GVC must have seen one poll. @param from a boundary of the beat */
function slotFigures(asked: Record<string, number[]>, from: number): Figure[] {
  const lateness: number[] = [];
  let missed = 0;
  for (const gvc of GVCS) {
    const offset = offsetOf({ org: 'acme', gvc }, EVERY_MS);
    for (let slot = from + offset; slot < from + MEASURED_MS; slot += EVERY_MS) {
      const polls = (asked[gvc] ?? []).filter((at) => at >= slot && at < slot + EVERY_MS);
      if (polls.length === 0) missed += 1;
      lateness.push(...polls.slice(0, 1).map((at) => at - slot));
    }
  }
  const slots = lateness.length + missed;
  return [
    { what: `of ${slots} slots without their poll`, ratio: missed / slots, target: 0.001 },
    {
      what: '99 % of the polls begin after',
      ratio: quantile(lateness, 0.99),
      target: 200,
      unit: 'ms',
    },
  ];
}
