import { benchCharges } from './charges.ts';
import { benchDraw } from './draw.ts';
import { report } from './measure.ts';
import { benchPoll } from './poll.ts';

// Ratios inside one run: absolute times say more about the machine than about the code.
report(benchPoll());
report(await benchCharges());
report(await benchDraw());
