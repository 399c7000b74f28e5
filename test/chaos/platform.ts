import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { listen } from '../support/http.ts';

/** The moments of a poll at which a worker can die. */
export type PollMoment = 'poll arrived' | 'poll answered';

interface PlatformOptions {
  /** The deployments of a GVC, each as JSON; undefined when there is no such GVC. */
  items: (gvc: string) => readonly string[] | undefined;
  /** A complete and true list of the GVC was handed over. */
  served: (gvc: string) => void;
  fault?: ((gvc: string) => PlatformFault | undefined) | undefined;
  strike: (worker: string, moment: PollMoment) => boolean;
}

const HANG_MS = 2_000;
const BOMB_BYTES = 80 * 1024 * 1024;
const OUTAGE_FROM = 3;
/** One workload by itself, which is asked for when a list is empty. */
const WORKLOAD = /^\/[^/]+\/org\/[^/]+\/gvc\/([^/]+)\/workload\/([^/-][^/]*)\/deployment/;
const LIST = /^\/([^/]+)\/org\/[^/]+\/gvc\/([^/]+)\/workload\/-deployment/;

type Fail = (response: ServerResponse, items: readonly string[]) => unknown;
const refuse =
  (status: number): Fail =>
  (response) =>
    response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end('{}');

/** Faults of one list (design section 4: no fault changes a state). */
const FAULTS = {
  '500': refuse(500),
  '502': refuse(502),
  '401': refuse(401),
  '403': refuse(403),
  '404': refuse(404),
  '429': refuse(429),
  reset: (response) => response.destroy(),
  hang: async (response) => {
    await pause(HANG_MS, undefined, { ref: false });
    response.destroy();
  },
  drip: async (response, items) => {
    const whole = listOf(items);
    response.writeHead(200, { 'content-length': whole.length }).write(whole.slice(0, 1));
    await pause(HANG_MS / 2, undefined, { ref: false });
    response.write(whole.slice(1, 2));
    await pause(HANG_MS / 2, undefined, { ref: false });
    response.destroy();
  },
  truncated: (response, items) => {
    const whole = listOf(items);
    response.end(whole.slice(0, whole.length / 2));
  },
  malformed: (response) => response.end('{"kind":"list","items":{}}'),
  html: (response) => response.end('<html><body>Sign in</body></html>'),
  bomb: (response) => response.setHeader('content-encoding', 'gzip').end(bomb()),
  'empty list': (response) => response.end(listOf([])),
  'bad item': (response, items) =>
    response.end(listOf(items.map((item, at) => (at === 0 ? spoilt(item) : item)))),
} satisfies Record<string, Fail>;
export type PlatformFault = keyof typeof FAULTS;
export const PLATFORM_FAULTS = Object.keys(FAULTS) as PlatformFault[];

/** The lists of the deployments API and their possible faults. */
export async function createChaosPlatform({
  items: itemsOf,
  served,
  fault,
  strike,
}: PlatformOptions) {
  const faults = new Map<string, number>();
  /** Milliseconds since the epoch of every list that was asked for, by GVC. */
  const asked = new Map<string, number[]>();
  /** GVCs of which three lists in a row failed at some time. */
  const failing = new Set<string>();
  const failures = new Map<string, number>();

  function note(gvc: string, failed: boolean): void {
    const inRow = failed ? (failures.get(gvc) ?? 0) + 1 : 0;
    failures.set(gvc, inRow);
    if (inRow >= OUTAGE_FROM) failing.add(gvc);
  }

  const server = await listen(
    async ({ url = '' }, response) => {
      const [, known = '', workload = ''] = WORKLOAD.exec(url) ?? [];
      const own = itemsOf(known)?.filter((item) => item.includes(`/workload/${workload}"`)) ?? [];
      if (own.length > 0) {
        return response.setHeader('content-type', 'application/json').end(listOf(own));
      }
      const [, worker = '', gvc = ''] = LIST.exec(url) ?? [];
      const items = itemsOf(gvc);
      if (items === undefined) return response.writeHead(404).end('{}');
      asked.set(gvc, [...(asked.get(gvc) ?? []), Date.now()]);
      if (strike(worker, 'poll arrived')) return response.destroy();
      const met = fault?.(gvc);
      if (met !== undefined) {
        faults.set(met, (faults.get(met) ?? 0) + 1);
        note(gvc, met !== 'empty list' && met !== 'bad item');
        return FAULTS[met](response, items);
      }
      response.setHeader('content-type', 'application/json');
      const whole = await sendWhole(response, listOf(items));
      if (strike(worker, 'poll answered') || !whole) return undefined;
      note(gvc, false);
      return served(gvc);
    },
    { mayFail: true },
  );
  return {
    faults,
    asked,
    failing,
    apiUrl: (worker: string) => `${server.url}/${worker}`,
    close: server.close,
  };
}

function listOf(items: readonly string[]): string {
  return `{"kind":"list","itemKind":"deployment","items":[${items.join(',')}],"links":[]}`;
}

let packed: Buffer | undefined;
/** Small on the wire and large when it is unpacked; made once. */
function bomb(): Buffer {
  return (packed ??= gzipSync(Buffer.alloc(BOMB_BYTES, ' '), { level: 1 }));
}

/** A record that says who it is and nothing that can be read. */
function spoilt(item: string): string {
  return JSON.stringify({ ...(JSON.parse(item) as object), status: { ready: 'perhaps' } });
}

/** Resolves with true when the whole answer was handed over, with false when the other side went away. */
export function sendWhole(response: ServerResponse, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    response.once('finish', () => resolve(true));
    response.once('close', () => resolve(response.writableFinished));
    response.end(body);
  });
}
