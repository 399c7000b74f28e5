import { firstOf, plural, shorten } from '../../lib/text.ts';
import { excerpt } from '../../slack/kit/pages.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { nextStepFor, plainCause, restartsInShort, type Fallback } from '../engine/explain.ts';
import type { Spec } from '../engine/facts.ts';
import type { CrashRow, Row } from '../engine/rollout.ts';
import { STATE_TABLE } from '../engine/states.ts';

/** Of the platform's own words, in characters. */
const QUOTE_LENGTH = 120;
/** Causes of one message; the others are counted. */
const MAX_CAUSES = 3;
const MAX_NAMES = 5;
const NAME_LENGTH = 63;
const MINUTE_MS = 60_000;
/** In so many minutes three polls with restarts make a crash loop. */
const CRASHLOOP_MINUTES = 10;
/** What is on its way, and may say what it waits for. */
const ON_THE_WAY: ReadonlySet<Row['state']> = new Set(['deploying', 'pending']);

/** A name in the middle of a sentence: what is too long loses its middle. */
export function short(name: string): string {
  return shorten(name, NAME_LENGTH);
}

/** "lima, oslo and 3 more" */
export function listed(names: readonly string[]): string {
  return firstOf(names.map(short), MAX_NAMES);
}

/** What is wrong at a location, and what a person can do about it. */
export interface Cause {
  name: string;
  what: Mrkdwn;
  /** '' where there is nothing to do. */
  next: string;
}

/**
 * A line for each cause, with its next step; names that share one share the line. A single cause has no
 * names: the title has them.
 */
export function causeLines(causes: readonly Cause[], { named }: { named: boolean }): Mrkdwn[] {
  const groups = new Map<string, { cause: Cause; names: string[] }>();
  for (const cause of causes) {
    const id = `${cause.what.text}\n${cause.next}`;
    const group = groups.get(id) ?? { cause, names: [] };
    groups.set(id, group);
    group.names.push(cause.name);
  }
  const all = [...groups.values()];
  const shown = all.slice(0, MAX_CAUSES).map(({ cause: { what, next }, names }) => {
    const who = named || all.length > 1 ? mrkdwn`*${listed(names)}*: ` : mrkdwn``;
    return next === '' ? mrkdwn`${who}${what}` : mrkdwn`${who}${what}\n→ ${next}`;
  });
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, mrkdwn`… and ${more} more`];
}

/**
 * What is wrong in a location of a rollout; undefined while all goes well.
 * @param crashes it is about restarts, which may go on while the location is ready
 */
export function causeOf(row: Row, fallback: Fallback, crashes = false): Cause | undefined {
  const { location: name, state, cause, crash } = row;
  if (crashes && crash !== undefined) return crashCause(name, crash, fallback);
  if (state === 'diverged') {
    const what = cause === '' ? mrkdwn`${apart(row)}` : mrkdwn`${apart(row)}: ${spoken(cause)}`;
    return { name, what, next: 'wait some minutes, then ask the platform team' };
  }
  const what = whatIsWrong(row);
  if (what === undefined) return undefined;
  if (state === 'stale') return { name, what, next: 'nothing to do; its next report is told here' };
  return { name, what, next: nextStepFor(cause, fallback) };
}

/** A cause in plain words with the platform's own beside it; undefined when nothing is wrong. */
export function whatIsWrong({ state, cause }: Pick<Row, 'state' | 'cause'>): Mrkdwn | undefined {
  if (state === 'stale') return mrkdwn`${STATE_TABLE[state].meaning}`;
  if (ON_THE_WAY.has(state)) return cause === '' ? undefined : spoken(cause);
  if (state !== 'failed' && state !== 'unhealthy') return undefined;
  return cause === '' ? mrkdwn`not ready, and no reason is reported` : spoken(cause);
}

/** "out of memory: payments, 8 restarts, limit 512 MiB", "the image cannot be pulled (`Back-off …`)" */
export function spoken(cause: string): Mrkdwn {
  const plain = plainCause(cause);
  const restarts = restartsInShort(cause);
  if (restarts !== undefined) return mrkdwn`${plain}: ${restarts}`;
  const quoted = excerpt(cause, QUOTE_LENGTH);
  return plain === '' ? quoted : mrkdwn`${plain} (${quoted})`;
}

/** "out of memory: cart, 14 restarts in 10 min, OOMKilled (exit code 137), limit 512 MiB" */
function crashCause(name: string, crash: CrashRow, fallback: Fallback): Cause {
  const { container, reason, exitCode, memory, restarts, lastsMs } = crash;
  const code = exitCode === undefined ? '' : `exit code ${exitCode}`;
  const minutes = Math.min(CRASHLOOP_MINUTES, Math.floor(lastsMs / MINUTE_MS) + 1);
  const parts = [
    short(container),
    `${plural(restarts, 'restart')} in ${minutes} min`,
    reason !== '' && code !== '' ? `${reason} (${code})` : reason || code,
    memory === undefined ? '' : `limit ${memory} MiB`,
  ];
  const said = parts.filter((part) => part !== '').join(', ');
  const outOfMemory = /OOMKilled/i.test(reason);
  return {
    name,
    what: outOfMemory ? mrkdwn`out of memory: ${said}` : mrkdwn`${said}`,
    next: nextStepFor(outOfMemory ? `OOMKilled, ${said}` : 'restarted', fallback),
  };
}

/** Which version a location that diverged has gone to is known where it serves. */
function apart({ replicas: { version }, outgoing }: Row): string {
  return outgoing !== null && outgoing.version > version
    ? `it reports v${outgoing.version}, v${version} is expected`
    : `it reports a newer version, v${version} is expected`;
}

/** Why a run of a cron workload ended as it did: one text, separated by semicolons (spec 2.12). */
export function reasonsOf(message: string): string[] {
  return message
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const MAX_CHANGES = 4;
const TAG_LENGTH = 40;
const DIGEST_LENGTH = 8;

/**
 * What the version changed against the one before it, at most four lines: of each container the image,
 * cpu and memory, and how many replicas are wanted. Nothing where either version was never seen.
 */
export function changeLines(rows: readonly Row[], version: number): Mrkdwn[] {
  const own = rows.filter((row) => row.replicas.version === version && row.spec !== undefined);
  const row = own.find(({ specBefore }) => specBefore !== undefined) ?? own[0];
  if (row?.spec === undefined) return [];
  const { spec, specBefore } = row;
  const was = new Map(specBefore?.containers.map((one) => [one[0], one]));
  const is = new Set(spec.containers.map(([name]) => name));
  const lines = [
    ...spec.containers.flatMap((one) => containerLine(one, was.get(one[0]), specBefore)),
    ...[...was.keys()]
      .filter((name) => !is.has(name))
      .map((name) => mrkdwn`${short(name)}: removed`),
    ...replicasLine(own),
  ];
  if (lines.length === 0) {
    const images = [...spec.containers, ...was.values()].map(([, image]) => image);
    const isKnown = specBefore !== undefined && images.every((image) => image !== '');
    return isKnown ? [mrkdwn`same image: configuration or automatic resources`] : [];
  }
  if (lines.length <= MAX_CHANGES) return lines;
  const more = lines.length - (MAX_CHANGES - 1);
  return [...lines.slice(0, MAX_CHANGES - 1), mrkdwn`… and ${plural(more, 'more change')}`];
}

type Container = Spec['containers'][number];

/** "cart: image v11 → v12, memory 512 → 1024 MiB" */
function containerLine(
  [name, image, cpu, memory]: Container,
  was: Container | undefined,
  before: Spec | undefined,
): Mrkdwn[] {
  if (was === undefined) {
    if (image === '') return [];
    const isNew = before === undefined ? '' : 'new, ';
    return [mrkdwn`${short(name)}: ${isNew}image ${imageIn(image).full}`];
  }
  const parts = [
    imageChange(was[1], image),
    amountChange('cpu', was[2], cpu, 'm'),
    amountChange('memory', was[3], memory, ' MiB'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [mrkdwn`${short(name)}: ${parts.join(', ')}`];
}

function amountChange(what: string, was: number | null, is: number | null, unit: string): string {
  if (was === null || is === null || was === is) return '';
  return `${what} ${was} → ${is}${unit}`;
}

/** Of the locations together that say how many there were. */
function replicasLine(rows: readonly Row[]): Mrkdwn[] {
  let [was, is] = [0, 0];
  for (const { spec, specBefore } of rows) {
    const [before, after] = [specBefore?.replicas ?? null, spec?.replicas ?? null];
    if (before === null || after === null) continue;
    was += before;
    is += after;
  }
  return was === is ? [] : [mrkdwn`replicas: ${was} → ${is}`];
}

/** Of the same image the tags, or the digests where these are the same; else both images in short. */
function imageChange(was: string, is: string): string {
  if (was === is || was === '' || is === '') return '';
  const [old, now] = [imageIn(was), imageIn(is)];
  if (old.name !== now.name) return `image ${old.full} → ${now.full}`;
  if (old.tag !== now.tag) return `image ${shortTag(old.tag)} → ${shortTag(now.tag)}`;
  return `image ${shortTag(old.tag)} (digest ${old.digest} → ${now.digest})`;
}

/** "registry/acme/cart:v12@sha256:1a2b3c4d…" in its parts; without the registry in short. */
function imageIn(image: string): { name: string; tag: string; digest: string; full: string } {
  const [path = '', digest = ''] = image.split('@');
  const colon = path.lastIndexOf(':');
  const hasTag = colon > path.lastIndexOf('/');
  const name = hasTag ? path.slice(0, colon) : path;
  const hash = digest.replace(/^sha256:/, '').slice(0, DIGEST_LENGTH);
  const tag = hasTag ? path.slice(colon + 1) : hash === '' ? 'latest' : hash;
  const last = name.slice(name.lastIndexOf('/') + 1);
  return { name, tag, digest: hash || 'none', full: `${short(last)}:${shortTag(tag)}` };
}

function shortTag(tag: string): string {
  return shorten(tag, TAG_LENGTH);
}
