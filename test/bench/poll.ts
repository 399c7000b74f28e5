import { request } from 'undici';
import { createDeploymentsClient, scanItems } from '../../src/platform/deployments/client.ts';
import type { ScannedList } from '../../src/platform/deployments/deployment.ts';
import { changesOf, nextOrg } from '../../src/rollouts/gvc-store.ts';
import { advance, EMPTY_GVC } from '../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../src/rollouts/watch/group.ts';
import { Secret } from '../../src/lib/secret.ts';
import { fleetItems, type Changing } from './fleet-items.ts';
import { median, type Figure, type Open } from './measure.ts';
import { startFleet } from './processes.ts';

const DEPLOYMENTS = 10_000;
const IDLE_MS = 60_000;
const WHOLE = { blocks: 3, rounds: 8 };
const QUICK = { blocks: 2, rounds: 3 };
const HEADERS = { authorization: 'bench', accept: 'application/json', 'accept-encoding': 'gzip' };

/** Polls of 10,000 deployments: of the same, of one in a hundred changed, of all with another text. */
export async function benchPoll(open: Open, quick: boolean): Promise<Figure[]> {
  const figures = [benchStep()];
  for (const changing of ['none', 'some', 'all'] as const) {
    const fleet = await open(startFleet(DEPLOYMENTS, changing));
    figures.push(await benchCpu(fleet.url, changing, quick ? QUICK : WHOLE));
  }
  return figures;
}

/** From an unchanged list to the changes, against JSON.parse of its text. */
function benchStep(): Figure {
  const body = JSON.stringify({ items: fleetItems(DEPLOYMENTS) });
  const parse = median(() => JSON.parse(body));
  const { items } = JSON.parse(body) as { items: unknown[] };
  const look = looker();
  const step = median(() => look(scanItems(items)));
  console.log(
    `10,000 deployments, ${(body.length / 1e6).toFixed(1)} MB: JSON.parse ${parse.toFixed(0)} ms, look, step and diff ${step.toFixed(0)} ms`,
  );
  return { what: 'look, step and diff / JSON.parse', ratio: step / parse, target: 0.35 };
}

/** Processor time of everything from the request to the diff, against the request and JSON.parse. */
async function benchCpu(
  url: string,
  changing: Changing,
  { blocks, rounds }: typeof WHOLE,
): Promise<Figure> {
  const client = clientOf(url);
  const address = `${url}/org/acme/gvc/shop/workload/-deployment`;
  const look = looker();
  const bare = async () => {
    // A connection of its own, because the stand-in closes one that rests while the polls run.
    const { body } = await request(address, { headers: HEADERS, reset: true });
    JSON.parse(await body.text());
  };
  const poll = async () => look(await client.scanGvc('acme', 'shop'));
  for (let warm = 0; warm < 3; warm += 1) for (const run of [bare, poll]) await run();
  const used = { bare: 0, poll: 0 };
  // In blocks, so that each clears away most of its own garbage.
  for (let block = 0; block < blocks; block += 1) {
    for (let round = 0; round < rounds; round += 1) used.bare += await processorTime(bare);
    for (let round = 0; round < rounds; round += 1) used.poll += await processorTime(poll);
  }
  await client.close();
  const [ofBare, ofPoll] = [used.bare / rounds / blocks, used.poll / rounds / blocks];
  return {
    what: `processor time of a poll, ${changing} of its items new / undici request + JSON.parse (${ofPoll.toFixed(0)} ms / ${ofBare.toFixed(0)} ms)`,
    ratio: ofPoll / ofBare,
    target: changing === 'some' ? 1.6 : 1.35,
  };
}

/** The work of a poller with one list after the other. */
function looker(): (list: ScannedList) => void {
  const settings = { gvc: 'shop', patience: 1, idleMs: IDLE_MS, cache: new Map() };
  let org = { state: EMPTY_ORG, revision: '' };
  let state = EMPTY_GVC;
  let previousAt = 0;
  return ({ listed: seen, ...unread }) => {
    const now = previousAt + IDLE_MS;
    const step = advance(state, org.state, { seen, ...unread }, { ...settings, now, previousAt });
    changesOf(state, step.state);
    org = nextOrg(org, step.org);
    state = step.state;
    previousAt = now;
  };
}

function clientOf(apiUrl: string) {
  const secret = new Secret('bench');
  return createDeploymentsClient({
    baseUrl: apiUrl,
    credentialOf: () => ({ kind: 'bearer', secret }),
  });
}

/** Milliseconds of all threads of this process. */
async function processorTime(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
