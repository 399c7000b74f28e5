import { Secret } from '../../src/lib/secret.ts';
import { createDeploymentsClient } from '../../src/platform/deployments/client.ts';
import { messagesOf } from '../../src/rollouts/render/messages.ts';
import { advance, EMPTY_GVC, type Cache } from '../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../src/rollouts/watch/group.ts';
import { createSandboxPlatform } from '../../src/sandbox/platform/server.ts';
import { createChannel } from './channel.ts';
import { GVCS, PLAN, ROLLOUTS } from './plan.ts';

// A week of rollouts as the reader of one channel sees it: `npm run week` says how much there is to read,
// `npm run week -- --transcript` what. The same on every run.

const MONDAY = Date.UTC(2026, 9, 5);
const WEEK_MS = 7 * 24 * 3_600_000;
const ACTIVE_MS = 10_000;
const IDLE_MS = 60_000;
const WATCH = { channel: 'C0DEPLOYS', quiet: false, configured: true };
const watches = GVCS.map((place) => ({ ...place, ...WATCH }));

let now = MONDAY;
const channel = createChannel();
await play();
if (process.argv.includes('--transcript')) console.log(transcript());
console.log(summary());

/** The clock goes on in steps of the fast pace, and each GVC is polled when it is due. */
async function play(): Promise<void> {
  const platform = createSandboxPlatform({ now: () => now });
  await platform.listen();
  const secret = new Secret(platform.tokens['acme'] ?? '');
  const client = createDeploymentsClient({
    baseUrl: platform.url,
    credentialOf: () => ({ kind: 'bearer', secret }),
  });
  const polls = GVCS.map((place) => ({
    place,
    state: EMPTY_GVC,
    cache: new Map() as Cache,
    previousAt: 0,
    dueAt: now,
  }));
  let org = EMPTY_ORG;
  let version = 0;
  for (; now < MONDAY + WEEK_MS; now += ACTIVE_MS) {
    const time = now - MONDAY;
    for (const act of PLAN.filter(({ at }) => at <= time && at > time - ACTIVE_MS)) {
      const body = { ...act.body, ...(act.status && { status: act.status(version) }) };
      version = (await control(`${platform.url}/_sandbox/${act.path}`, body)).version ?? version;
    }
    for (const poll of polls.filter(({ dueAt }) => dueAt <= now)) {
      const { place, state, cache, previousAt } = poll;
      const { listed: seen, ...unread } = await client.scanGvc(place.org, place.gvc);
      const options = { gvc: place.gvc, now, previousAt, patience: 1, idleMs: IDLE_MS, cache };
      const step = advance(state, org, { seen, ...unread }, options);
      poll.state = step.state;
      poll.previousAt = now;
      org = step.org;
      poll.dueAt = now + (step.active ? ACTIVE_MS : IDLE_MS);
      channel.take(messagesOf(place, step.notices, { watches, mutes: [], now, ops: '' }), now);
    }
  }
  await client.close();
  await platform.close();
}

async function control(url: string, body: object): Promise<{ version?: number }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return (await answer.json()) as { version?: number };
}

function transcript(): string {
  const texts = channel.history.map(({ at, way, news }) => {
    const time = new Date(at).toUTCString();
    return `${time.slice(0, 3)} ${time.slice(17, 25)} [${way}] ${news.join('\n    ')}`;
  });
  return texts.join('\n');
}

function summary(): string {
  const { history } = channel;
  const all = [...channel.messages.values()];
  const inChannel = all.filter(({ way }) => way !== 'reply');
  const posted = history.filter(({ way }) => way === 'post' || way === 'broadcast');
  const inThreads = all.filter(({ way }) => way === 'reply');
  const kinds = [...new Set(all.map(({ kind }) => kind))].map((kind) => {
    const own = (some: typeof all): typeof all => some.filter((one) => one.kind === kind);
    const [here, there] = [own(inChannel), own(inThreads)];
    const lines = Math.max(...own(history).map((one) => one.lines.length));
    const characters = Math.max(...own(history).map((one) => one.lines.join('\n').length));
    return [kind, here.length, wordsOf(here), there.length, wordsOf(there), lines, characters];
  });
  const columns = ['kind', 'in channel', 'words', 'in threads', 'words', 'lines', 'characters'];
  const table = [columns, ...kinds].map((row) => row.map((cell) => String(cell).padEnd(12)));
  return [
    `rollouts ${ROLLOUTS}`,
    `messages in the channel ${inChannel.length} (${inChannel.filter(({ way }) => way === 'post').length} posts, the others broadcasts)`,
    `replies in threads ${inThreads.length}`,
    `edits ${history.length - all.length}`,
    `words in the channel ${perRollout(inChannel)}; as they were posted ${perRollout(posted)}`,
    `words in threads ${perRollout(inThreads)}`,
    'by kind (lines and characters: of the longest, ever):',
    ...table.map((row) => row.join('').trim()),
  ].join('\n');
}

function perRollout(messages: typeof channel.history): string {
  return `${wordsOf(messages)}, ${(wordsOf(messages) / ROLLOUTS).toFixed(1)} per rollout`;
}

/** Signs and separators are no words. */
function wordsOf(messages: readonly { lines: readonly string[] }[]): number {
  const all = messages.flatMap(({ lines }) => lines.join(' ').split(/\s+/));
  return all.filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^:\w+:$/.test(word)).length;
}
