import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listen, pause, sendWhole } from './http.ts';

/** What goes wrong with one list (design section 4: none of it changes a state). */
export const PLATFORM_FAULTS = [
  '500',
  '502',
  '401',
  '403',
  '404',
  '429',
  'reset',
  'hang',
  'drip',
  'truncated',
  'malformed',
  'html',
  'bomb',
  'empty list',
  'bad item',
] as const;
export type PlatformFault = (typeof PLATFORM_FAULTS)[number];
/** The moments of a poll at which a worker can die. */
export type PollMoment = 'poll arrived' | 'poll answered';

interface PlatformOptions {
  /** The deployments of a GVC, each as JSON; undefined when there is no such GVC. */
  items: (gvc: string) => readonly string[] | undefined;
  /** A complete and true list of the GVC was handed over. */
  served: (gvc: string) => void;
  fault?: (gvc: string) => PlatformFault | undefined;
  strike?: (worker: string, moment: PollMoment) => boolean;
}

export interface ChaosPlatform {
  apiUrl(worker: string): string;
  readonly faults: ReadonlyMap<string, number>;
  /** Milliseconds since the epoch of every list that was asked for, by GVC. */
  readonly asked: ReadonlyMap<string, number[]>;
  /** GVCs of which three lists in a row failed at some time. */
  readonly failing: ReadonlySet<string>;
  close(): Promise<void>;
}

const HANG_MS = 2_000;
const BOMB_BYTES = 80 * 1024 * 1024;
const OUTAGE_FROM = 3;
/** One workload by itself, which is asked for when a list is empty. */
const WORKLOAD = /^\/[^/]+\/org\/[^/]+\/gvc\/([^/]+)\/workload\/([^/-][^/]*)\/deployment/;
const LIST = /^\/([^/]+)\/org\/[^/]+\/gvc\/([^/]+)\/workload\/-deployment/;

/** The lists of the deployments API and what can befall them. */
export async function createChaosPlatform(options: PlatformOptions): Promise<ChaosPlatform> {
  const faults = new Map<string, number>();
  const asked = new Map<string, number[]>();
  const failing = new Set<string>();
  const failures = new Map<string, number>();

  function note(gvc: string, failed: boolean): void {
    const inRow = failed ? (failures.get(gvc) ?? 0) + 1 : 0;
    failures.set(gvc, inRow);
    if (inRow >= OUTAGE_FROM) failing.add(gvc);
  }

  const server = await listen(async (request, response) => {
    const [, known = '', workload = ''] = WORKLOAD.exec(request.url ?? '') ?? [];
    const own = options.items(known)?.filter((item) => item.includes(`/workload/${workload}"`));
    if (own !== undefined && own.length > 0) {
      response.setHeader('content-type', 'application/json');
      return void response.end(listOf(own));
    }
    const [, worker = '', gvc = ''] = LIST.exec(request.url ?? '') ?? [];
    const items = options.items(gvc);
    if (items === undefined) return void response.writeHead(404).end('{}');
    const times = asked.get(gvc) ?? [];
    times.push(Date.now());
    asked.set(gvc, times);
    if (options.strike?.(worker, 'poll arrived') === true) return void response.destroy();
    const fault = options.fault?.(gvc);
    if (fault !== undefined) {
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
      note(gvc, fault !== 'empty list' && fault !== 'bad item');
      return fail(response, fault, items);
    }
    response.setHeader('content-type', 'application/json');
    const whole = await sendWhole(response, listOf(items));
    if (options.strike?.(worker, 'poll answered') === true || !whole) return;
    note(gvc, false);
    options.served(gvc);
  });
  return {
    apiUrl: (worker) => `${server.url}/${worker}`,
    faults,
    asked,
    failing,
    close: () => server.close(),
  };
}

function listOf(items: readonly string[]): string {
  return `{"kind":"list","itemKind":"deployment","items":[${items.join(',')}],"links":[]}`;
}

async function fail(
  response: ServerResponse,
  fault: PlatformFault,
  items: readonly string[],
): Promise<void> {
  const whole = listOf(items);
  switch (fault) {
    case 'reset':
      return void response.destroy();
    case 'hang':
      await pause(HANG_MS);
      return void response.destroy();
    case 'drip':
      response.writeHead(200, { 'content-length': whole.length }).write(whole.slice(0, 1));
      await pause(HANG_MS / 2);
      response.write(whole.slice(1, 2));
      await pause(HANG_MS / 2);
      return void response.destroy();
    case 'truncated':
      return void response.end(whole.slice(0, whole.length / 2));
    case 'malformed':
      return void response.end('{"kind":"list","items":{}}');
    case 'html':
      return void response.end('<html><body>Sign in</body></html>');
    case 'bomb':
      response.setHeader('content-encoding', 'gzip');
      return void response.end(bomb());
    case 'empty list':
      return void response.end(listOf([]));
    case 'bad item':
      return void response.end(listOf(items.map((item, at) => (at === 0 ? spoilt(item) : item))));
    case '429':
      return void response.writeHead(429, { 'retry-after': '1' }).end('{}');
    case '500':
    case '502':
    case '401':
    case '403':
    case '404':
      return void response.writeHead(Number(fault)).end('{}');
  }
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
