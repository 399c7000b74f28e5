import { parseArgs } from 'node:util';
import { benchAcks } from './acks.ts';
import { benchCharges } from './charges.ts';
import { benchHeavy } from './heavy.ts';
import { play, type Bench } from './measure.ts';
import { benchPoll } from './poll.ts';
import { compile } from './processes.ts';
import { benchSlots } from './slots.ts';
import { benchThroughput } from './throughput.ts';

/*
 * Ratios inside one run: absolute times say more about the machine than about the code. A word on the
 * command line picks one benchmark; `--quick` runs those that take seconds. OVER marks a figure beyond its
 * target, and is no failure.
 */
const BENCHES: Readonly<Record<string, Bench>> = {
  poll: benchPoll,
  acks: benchAcks,
  heavy: benchHeavy,
  throughput: benchThroughput,
  slots: benchSlots,
  charges: benchCharges,
};
/** In this order, until the time is over. */
const QUICK = ['charges', 'throughput', 'poll', 'acks'];
/** No benchmark begins later than this in a quick run, which may take two minutes. */
const LAST_START_MS = 75_000;

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const usual = values.quick ? QUICK : Object.keys(BENCHES);
const names = positionals.length > 0 ? positionals : usual;
compile();
for (const name of names) {
  const bench = BENCHES[name];
  if (bench === undefined) throw new Error(`There is no benchmark "${name}"`);
  if (values.quick && performance.now() > LAST_START_MS) console.log(`left out, too late: ${name}`);
  else await play(bench, values.quick);
}
