import { type Life, type Line } from './life.ts';
import { measure, type Breach } from './measure.ts';
import { type Shown } from './posts.ts';
import { BEGINNING } from './status.ts';
import { MINUTES } from './track.ts';

export type Play = (lines: Iterable<Line>) => Shown[];

interface Item {
  readonly name: string;
  readonly links: readonly { rel: string; href: string }[];
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The smallest life found in which the same goes wrong, as text: its lines and its messages. */
export function storyOf(life: Life, breach: Breach, play: Play): string {
  const small = smallest(life, breach, play);
  const shown = play(small.lines);
  const { kind, seed, workload, at, about } = breach;
  const events = [
    ...small.lines.map((line) => ({ minute: minuteOf(line), text: lineText(line) })),
    ...shown.map((one) => ({ minute: minuteOf(one), text: `    ${shownText(one)}` })),
  ].sort((a, b) => a.minute - b.minute);
  return [
    `${kind} in life ${seed}: ${workload} at minute ${at}, ${about}`,
    ...events.map(({ minute, text }) => `${String(minute).padStart(4)} ${text}`),
  ].join('\n');
}

/** Leaves out workloads and the time around the breach while it still happens. */
function smallest(life: Life, breach: Breach, play: Play): Life {
  let best = life;
  const attempt = (next: Life): void => {
    const { breaches } = measure(next, play(next.lines));
    const isSame = breaches.some(
      ({ kind, workload }) => kind === breach.kind && workload === breach.workload,
    );
    if (isSame) best = next;
  };
  const attemptAny = (all: readonly Life[]): void => {
    const before = best;
    for (const next of all) if (best === before) attempt(next);
  };
  const names = new Set(life.tracks.map(({ gvc, workload }) => `${gvc}/${workload}`));
  const own = breach.workload.split('/').slice(1).join('/');
  attempt(withWorkloads(best, new Set([own])));
  if (best === life) {
    for (const name of names) {
      const left = new Set(best.tracks.map(({ gvc, workload }) => `${gvc}/${workload}`));
      left.delete(name);
      if (name !== own) attempt(withWorkloads(best, left));
    }
  }
  attemptAny([30, 60, 120].map((spare) => cutAfter(best, breach.at + spare)));
  attemptAny([20, 40, 80, 160].map((spare) => cutBefore(best, breach.at - spare)));
  return best;
}

function ownerOf(item: unknown): string {
  const href = (item as Item).links.find(({ rel }) => rel === 'workload')?.href ?? '';
  const [, , , , gvc, , workload] = href.split('/');
  return `${gvc}/${workload}`;
}

function withWorkloads(life: Life, names: ReadonlySet<string>): Life {
  const gvcs = new Set([...names].map((name) => name.split('/')[0]));
  const latest = new Map<string, readonly unknown[]>();
  const last = life.lines.at(-1)?.at;
  const lines = life.lines.flatMap((line): Line[] => {
    if ('do' in line) return [line];
    if (!gvcs.has(line.gvc)) return [];
    if (!('items' in line)) {
      latest.delete(line.gvc);
      return [line];
    }
    const items = line.items.filter((item) => names.has(ownerOf(item)));
    const before = latest.get(line.gvc);
    latest.set(line.gvc, items);
    const isSame = before?.length === items.length && items.every((one, at) => one === before[at]);
    return isSame && line.at !== last ? [] : [{ ...line, items }];
  });
  const tracks = life.tracks.filter(({ gvc, workload }) => names.has(`${gvc}/${workload}`));
  // The line before a restart is when the bot went away.
  return life.lines.some((line) => 'do' in line)
    ? { ...life, tracks, lines: keepEves(life, lines, names) }
    : { ...life, tracks, lines };
}

function keepEves(life: Life, lines: readonly Line[], names: ReadonlySet<string>): Line[] {
  return lines.flatMap((line): Line[] => {
    if (!('do' in line)) return [line];
    const eve = life.lines[life.lines.indexOf(line) - 1];
    if (eve === undefined || !('items' in eve)) return [line];
    return [{ ...eve, items: eve.items.filter((item) => names.has(ownerOf(item))) }, line];
  });
}

function cutAfter(life: Life, until: number): Life {
  if (until >= MINUTES) return life;
  const lines = life.lines.filter((line) => minuteOf(line) <= until);
  const seen = new Map([...life.seen].map(([gvc, minutes]) => [gvc, minutes.slice()]));
  for (const minutes of seen.values()) minutes.fill(0, until + 1);
  const at = new Date(BEGINNING + until * 60_000).toISOString();
  const ends = [...seen.keys()].flatMap((gvc) => {
    const line = lines.findLast((one) => 'gvc' in one && one.gvc === gvc);
    return line === undefined ? [] : [{ ...line, at }];
  });
  return { ...life, seen, lines: [...lines, ...ends] };
}

function cutBefore(life: Life, from: number): Life {
  if (from <= 0) return life;
  const at = new Date(BEGINNING + from * 60_000).toISOString();
  const early = life.lines.filter((line) => minuteOf(line) <= from);
  const seen = new Map([...life.seen].map(([gvc, minutes]) => [gvc, minutes.slice()]));
  for (const minutes of seen.values()) minutes.fill(0, 0, from);
  const starts = [...seen.keys()].flatMap((gvc) => {
    const line = early.findLast((one) => 'items' in one && one.gvc === gvc);
    return line === undefined ? [] : [{ ...line, at }];
  });
  return { ...life, seen, lines: [...starts, ...life.lines.slice(early.length)] };
}

function minuteOf({ at }: { at: string }): number {
  return (Date.parse(at) - BEGINNING) / 60_000;
}

function lineText(line: Line): string {
  if ('do' in line) return line.do;
  if ('status' in line) return `${line.gvc} ${line.status}`;
  return `${line.gvc} ${line.items.map((item) => itemText(item as Item)).join(' | ')}`;
}

interface Entry {
  readonly workload: number;
  readonly gvc: number;
  readonly ready?: boolean;
  readonly zone?: string;
  readonly containers: {
    readonly main: {
      readonly message: string;
      readonly resources: { readonly replicas: number; readonly replicasReady: number };
    };
  };
}

function itemText(item: Item): string {
  const { status = {} } = item;
  const { ready, deploying, message, desiredScale } = status;
  const entries = (status['versions'] ?? []) as Entry[];
  const versions = entries.map(({ workload, gvc, ready, zone = '', containers }) => {
    const { message: why, resources } = containers.main;
    const isReady = ready === true ? ' ready' : '';
    const counts = `${resources.replicasReady}/${resources.replicas}`;
    return `v${workload}.${gvc}${zone} ${counts}${isReady} ${why.slice(0, 20)}`.trim();
  });
  const flags = `${ready === true ? 'ready' : 'not-ready'}${deploying === true ? ' deploying' : ''}`;
  const of = `E${String(status['expectedDeploymentVersion'])} P${String(status['lastProcessedVersion'])}`;
  const scale = typeof desiredScale === 'number' ? ` wants ${desiredScale}` : '';
  const words = typeof message === 'string' ? message.slice(0, 30) : '';
  return `${ownerOf(item)}@${item.name} ${flags} ${of}${scale} [${versions.join(', ')}] ${words}`;
}

function shownText({ how, key, covers = [], text }: Shown): string {
  const also = covers.length > 0 ? ` (+ ${covers.slice(0, 6).join(' ')})` : '';
  return `${how} ${key}${also}: ${text.replaceAll('\n', ' / ').slice(0, 200)}`;
}
