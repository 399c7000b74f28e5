import { benchAcks } from './acks.ts';
import { benchCharges } from './charges.ts';
import { benchDraw } from './draw.ts';
import { benchHeavy } from './heavy.ts';
import { play } from './measure.ts';
import { benchPoll } from './poll.ts';
import { compile } from './processes.ts';
import { benchRedisBytes } from './redis-bytes.ts';
import { benchSlots } from './slots.ts';
import { benchThroughput } from './throughput.ts';

// Ratios inside one run: absolute times say more about the machine than about the code. A word on the
// command line picks one of them.
const benches = {
  poll: benchPoll,
  acks: benchAcks,
  heavy: benchHeavy,
  throughput: benchThroughput,
  slots: benchSlots,
  redis: benchRedisBytes,
  charges: benchCharges,
  draw: benchDraw,
};
const wanted = process.argv[2];
compile();
for (const [name, bench] of Object.entries(benches)) {
  if (wanted === undefined || wanted === name) await play(bench);
}
