import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { excerpt, lines, moment, mrkdwn, Mrkdwn } from '../../slack/kit/index.ts';
import type { Replicas } from '../engine/facts.ts';
import type { CrashRow, Row, Track } from '../engine/track.ts';
import { listed } from './view-parts.ts';
import { plainCause } from '../engine/causes.ts';
import { MEANINGS } from './words.ts';

const CAUSE_LENGTH = 300;
const MAX_LINES = 5;
const MINUTE_MS = 60_000;
/** In so many minutes three polls with restarts make a crash loop. */
const CRASHLOOP_MINUTES = 10;
/** What is on its way, and may say what it waits for. */
const ON_THE_WAY: ReadonlySet<Row['state']> = new Set(['deploying', 'pending']);

/**
 * What there is to know of these locations, once for those that say the same; no block when all goes
 * well.
 * @param late since when locations are waited for, milliseconds since the epoch
 */
export function explanations(rows: readonly Row[], late: Track['late']): KnownBlock[] {
  const waiting = rows.filter(({ state }) => state === 'waiting').map(({ location }) => location);
  const notThere = waiting.length === 0 ? [] : [notReached(waiting, late)];
  return block([...causeLines(rows, explained), ...notThere]);
}

/** What is said of each location, as one block; none when nothing is. */
export function causes(rows: readonly Row[], say: (row: Row) => Mrkdwn | undefined): KnownBlock[] {
  return block(causeLines(rows, say));
}

function causeLines(rows: readonly Row[], say: (row: Row) => Mrkdwn | undefined): Mrkdwn[] {
  return grouped(
    rows.flatMap((row) => {
      const line = say(row);
      return line === undefined ? [] : [{ name: row.location, line }];
    }),
  );
}

function block(said: readonly Mrkdwn[]): KnownBlock[] {
  return said.length === 0 ? [] : [lines(said, MAX_LINES)];
}

/** "*lima, oslo*: what is wrong": names that say the same share a line. */
export function grouped(said: readonly { name: string; line: Mrkdwn }[]): Mrkdwn[] {
  const names = new Map<string, string[]>();
  for (const { name, line } of said) {
    const own = names.get(line.text);
    if (own === undefined) names.set(line.text, [name]);
    else own.push(name);
  }
  return [...names].map(([line, own]) => mrkdwn`*${listed(own)}*: ${new Mrkdwn(line)}`);
}

/** What is wrong in a location and what serves there meanwhile, for people whom it calls. */
export function explained(row: Row): Mrkdwn | undefined {
  if (row.state === 'diverged') {
    return row.cause === '' ? mrkdwn`${apart(row)}` : mrkdwn`${apart(row)}: ${spoken(row.cause)}`;
  }
  const wrong = whatIsWrong(row);
  return wrong === undefined ? undefined : mrkdwn`${wrong}${serving(row)}`;
}

/** The same of a location that lags; one that the change has not reached may say why, while it serves. */
export function lagExplained(row: Row): Mrkdwn | undefined {
  const mayServe = row.state === 'waiting' || row.state === 'unknown';
  return mayServe && row.cause !== '' ? spoken(row.cause) : explained(row);
}

/** "OOMKilled (exit code 137), 14 restarts in 10 min, limit 512 MiB" */
export function crashes({ reason, exitCode, memory, restarts, lastsMs }: CrashRow): string {
  const code = exitCode === undefined ? '' : `exit code ${exitCode}`;
  const why = reason !== '' && code !== '' ? `${reason} (${code})` : reason || code;
  const minutes = Math.min(CRASHLOOP_MINUTES, Math.floor(lastsMs / MINUTE_MS) + 1);
  const parts = [
    why,
    `${plural(restarts, 'restart')} in ${minutes} min`,
    memory === undefined ? '' : `limit ${memory} MiB`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Which version a location that diverged has gone to is known where it serves. */
function apart({ replicas: { version }, outgoing }: Row): string {
  return outgoing !== null && outgoing.version > version
    ? `it reports v${outgoing.version}, v${version} is expected`
    : `it reports a newer version, v${version} is expected`;
}

/** A cause in plain words with the platform's own beside it; undefined when nothing is wrong. */
export function whatIsWrong({ state, cause }: Pick<Row, 'state' | 'cause'>): Mrkdwn | undefined {
  if (state === 'stale') return mrkdwn`${MEANINGS[state]}`;
  if (ON_THE_WAY.has(state)) return cause === '' ? undefined : spoken(cause);
  if (state !== 'failed' && state !== 'unhealthy') return undefined;
  return cause === '' ? mrkdwn`not ready, and no reason is reported` : spoken(cause);
}

/** "out of memory (`container main: 3 restarts …`)" */
export function spoken(cause: string): Mrkdwn {
  const plain = plainCause(cause);
  const quoted = excerpt(cause, CAUSE_LENGTH);
  return plain === '' ? quoted : mrkdwn`${plain} (${quoted})`;
}

/** What people ask next: does anything still serve? */
function serving({ state, outgoing, replicas }: Row): string {
  if (state === 'deploying' && outgoing === null) return '';
  if (!['failed', 'unhealthy', 'deploying'].includes(state)) return '';
  const serves = outgoing ?? replicas;
  return serves.ready === 0
    ? ' – nothing serves there'
    : ` – v${serves.version} still serves ${share(serves)}`;
}

/** "2/3", or a count where the platform does not say how many there should be. */
function share({ ready, wanted }: Replicas): string {
  return wanted >= ready ? `${ready}/${wanted}` : `with ${plural(ready, 'replica')}`;
}

/** A point in time and no span, so that a card on which nothing moves stays the same text. */
function notReached(locations: readonly string[], late: Track['late']): Mrkdwn {
  const start = mrkdwn`The change has not reached *${listed(locations)}* yet`;
  const since = locations.flatMap((location) => late[location] ?? []);
  return since.length === 0
    ? start
    : mrkdwn`${start} (newest version since ${moment(Math.min(...since), '{time}')})`;
}
