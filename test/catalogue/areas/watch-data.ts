import type { Message } from '../../../src/notify/message.ts';
import { advance, EMPTY_STATE, type Advance } from '../../../src/rollouts/engine/advance.ts';
import { messagesOf } from '../../../src/rollouts/messages/publish.ts';
import type { Mute, Watch } from '../../../src/rollouts/watches.ts';
import { sightings, type Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import {
  broken,
  container,
  pending,
  ready,
  rolling,
  stale,
  version,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { broadcast, MINUTE, NOW, post, reply, type Entry } from '../entry.ts';

const PLACE = { org: 'acme', gvc: 'shop' };
export const AWS = 'aws-eu-central-1';
export const AZURE = 'azure-eastus2';
export const GCP = 'gcp-us-east1';
export const EDGE = 'edge-zurich';
export const THREE = [AWS, AZURE, GCP];
export const SEVEN = [
  ...THREE,
  'aws-us-west-2',
  'azure-westeurope',
  'gcp-europe-west3',
  'gcp-asia-east1',
];

/** A poll: milliseconds after the one before, what the list says otherwise than then, and whether nothing is found by itself. */
export type Poll = readonly [after: number, changes: Listing, gone?: 'gone'];
export type Listen = Partial<{ watches: readonly Watch[]; mutes: readonly Mute[] }>;

/** What the last of some polls, which is now, tells. The first list is adopted in silence. */
export function story(first: Listing, ...polls: readonly Poll[]): Advance {
  let now = NOW - polls.reduce((sum, [after]) => sum + after, 0);
  let listing = first;
  let step = advance(EMPTY_STATE, sightings(listing), now);
  for (const [after, changes, gone] of polls) {
    listing = { ...listing, ...changes };
    now += after;
    const list = { ...sightings(listing), gone: gone !== undefined };
    step = advance(step.state, list, now);
  }
  return step;
}

export function watching(over: Partial<Watch> = {}): Watch {
  return { ...PLACE, channel: 'C0DEPLOYS', quiet: false, configured: false, ...over };
}

/** The messages that a poll becomes for a channel that watches the whole GVC. */
export function messages(
  step: Pick<Advance, 'rolloutNotices' | 'notices'>,
  { watches = [watching()], mutes = [] }: Listen = {},
): Message[] {
  return messagesOf(PLACE, step, { watches, mutes, now: NOW });
}

const PLACES = { post, reply, broadcast };

/** The message with this key (below the GVC) of those that a story ends with, where it really goes. */
export function said(
  kind: keyof typeof PLACES,
  [id, when]: readonly [id: string, when: string],
  key: string,
  tell: () => Message[],
): Entry {
  return PLACES[kind](id, when, () => {
    const all = tell();
    const found = all.findLast((message) => message.key === `acme/shop/${key}`);
    if (found === undefined) {
      throw new Error(`${key} is not among ${all.map((one) => one.key).join(' ')}`);
    }
    if (kindOf(found) !== kind) throw new Error(`${key} is a ${kindOf(found)}`);
    return found;
  });
}

function kindOf({ threadKey, broadcast }: Message): keyof typeof PLACES {
  if (threadKey === undefined) return 'post';
  return broadcast === true ? 'broadcast' : 'reply';
}

/** The same status at each of these locations, or of these workloads at one location. */
export function all(names: readonly string[], status: Listing[string]): Listing {
  return Object.fromEntries(names.map((name) => [name, status]));
}

/** A version of which so many replicas of three are ready. */
export function replicas(workload: number, readyNow: number, over: Json = {}): Json {
  const resources = { replicas: 3, replicasReady: readyNow, cpu: 250, memory: 512 };
  const image = `registry.example.com/acme/cart:v${workload}`;
  const main = container({ image, ready: readyNow === 3, resources });
  return version(workload, { ready: readyNow === 3, containers: { main }, ...over });
}

export const IN_PLACE = ready(11, { desiredScale: 3, versions: [replicas(11, 3)] });
export const READY = ready(12, { desiredScale: 3, versions: [replicas(12, 3)] });

/** The new version comes up beside the old one. */
export function coming(readyNow: number, before = 3): Json {
  return rolling(12, { desiredScale: 3, versions: [replicas(12, readyNow), replicas(11, before)] });
}

/** Out of order, and of the old version so many replicas still serve. */
export function failing(message: string, { now = 0, before = 3 } = {}): Json {
  const versions = [replicas(12, now, { message }), replicas(11, before)];
  return broken(12, '', { desiredScale: 3, versions });
}

/** The new version is stated, and the location has not begun with it. */
export const PENDING = pending(12, { desiredScale: 3, versions: [replicas(11, 3)] });
/** It stands at its version, and states neither replicas nor anything else. */
export const AT_REST = ready(12, { ready: false, versions: [], desiredScale: undefined });
/** Nothing is reported any more. */
export const SILENT = undefined;
/** It has v13 already, while v12 is expected. */
export const AHEAD = ready(12, {
  desiredScale: 3,
  lastProcessedVersion: 13,
  versions: [replicas(13, 3), replicas(12, 3)],
});
export const STALE = stale(12, { desiredScale: 3 });
export const PULL = 'Back-off pulling image "registry.example.com/acme/cart:v12"';
export const READINESS = 'Readiness probe failed: HTTP probe failed with statuscode: 503';
/** One of three replicas is left. */
export const SICK = failing(READINESS, { now: 1, before: 0 });
/** The beginning of a rollout that everybody sees. */
export const BEFORE = all(THREE, IN_PLACE);
export const BEGUN: Poll = [10_000, all(THREE, coming(0))];

/** Every location serves the new version. */
const WHOLE: Poll = [4 * MINUTE, all(THREE, READY)];
/** The rollout has a card, and is over. */
export const OVER: readonly Poll[] = [BEGUN, WHOLE];
/** The rollout is long over, and nobody saw it. */
export const LATER = { first: all(THREE, READY) };

export type Told = readonly [id: string, when: string];

export interface Scenario {
  first?: Listing;
  polls: readonly Poll[];
  listen?: Listen;
}

/** The new version comes up, and something that the platform states holds it up. */
export function held(message: string): Json {
  return rolling(12, {
    desiredScale: 3,
    versions: [replicas(12, 0, { message }), replicas(11, 3)],
  });
}

export const SECRET =
  'The secret cart-payment-key no longer exists. Workload updates are paused until it is restored.';

/** An outcome of v12 of the cart, at the end of a story. */
export function outcome(
  kind: 'post' | 'broadcast' | 'reply',
  told: Told,
  key: string,
  story: Scenario,
): Entry {
  return said(kind, told, `cart/12/${key}`, () => messagesIn(story));
}

function messagesIn({ first = BEFORE, polls, listen }: Scenario): ReturnType<typeof messages> {
  return messages(story(first, ...polls), listen);
}

/** A version whose containers have restarted so often. */
export function restarted(readyNow: number, count: number, over: Json = {}): Json {
  const main = container({
    ready: readyNow === 3,
    resources: { replicas: 3, replicasReady: readyNow, memory: 512 },
    restarts: { count, exitCode: 137, reason: 'OOMKilled', ...over },
  });
  return replicas(12, readyNow, { containers: { main } });
}
