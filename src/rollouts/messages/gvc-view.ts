import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { context, lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type {
  GvcGoneNotice,
  GvcNotice,
  LocationNotice,
  LocationReply,
  LocationRow,
} from '../engine/notices.ts';
import { isTrouble, SIGNS, TROUBLE } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  after,
  cardButtons,
  endingSentence,
  footer,
  grouped,
  gvcTitle,
  listed,
  locationTitle,
  nameOf,
  progress,
  share,
  short,
  whatIsWrong,
  wordOf,
  worstOf,
} from './view-parts.ts';
import type { Content } from './view-parts.ts';

/**
 * The card of a change of the GVC itself, which rolls its workloads anew: a row per workload.
 * @param notice with the rows of the workloads that the channel hears of
 * @param whole the channel watches the whole GVC
 */
export function gvcCardContent(place: WatchedGvc, notice: GvcNotice, whole: boolean): Content {
  const { version, ending, rows, startedAt } = notice;
  const word = wordOf(ending, rows);
  const standing = gvcStatus(notice, word);
  const { shown, more } = worstOf(rows);
  const body = [
    ...progress(rows.map((row) => ({ ...row, name: row.workload }))),
    table(
      [{ title: 'Workload' }, { title: 'State' }, { title: 'Ready', align: 'right' }],
      shown.map((row) => [`${row.workload} v${row.version}`, row.state, share(row)]),
    ),
    ...(more > 0 ? [context(mrkdwn`${plural(more, 'more workload')}, none in a worse state`)] : []),
  ];
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} *${nameOf(place)}* GVC v${version} ${standing}`),
      ...(ending === null ? body : []),
      footer(place, { what: 'first seen', at: startedAt, moves: ending === null }),
      ...(ending === 'superseded' || ending === 'gone' ? [] : gvcButtons(place, rows, whole)),
    ],
  };
}

/** A click is about what the channel watches. */
function gvcButtons(place: WatchedGvc, rows: GvcNotice['rows'], whole: boolean): KnownBlock[] {
  const [only, ...others] = rows;
  if (whole) return cardButtons(place);
  return only !== undefined && others.length === 0
    ? cardButtons(place, only.workload)
    : cardButtons(place, undefined, { unwatch: false });
}

function gvcStatus(notice: GvcNotice, word: string): Mrkdwn {
  const { ending, rows } = notice;
  if (ending === 'superseded') return mrkdwn`superseded by v${notice.supersededBy ?? '?'}`;
  if (ending !== null)
    return mrkdwn`${endingSentence(ending, after(notice.startedAt, notice.readyAt))}`;
  const ready = rows.filter(({ state }) => state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(rows.length, 'workload')} ready`;
}

/** The one `ready` of a GVC's version: a reply in its card's thread. */
export function gvcReadyContent(place: WatchedGvc, notice: GvcNotice): Content {
  const ready = notice.rows.filter(({ state }) => state === 'ready').length;
  const said = mrkdwn`ready in ${plural(ready, 'workload')}${after(notice.startedAt, notice.readyAt)}`;
  return {
    text: topText(mrkdwn`${gvcTitle(place, notice.version)} ${said}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.ready)} *${nameOf(place)}* GVC v${notice.version} ${said}`),
    ],
  };
}

/** Every record of a GVC is gone. @param workloads those that the channel watches */
export function gvcGoneContent(
  place: WatchedGvc,
  { version }: Pick<GvcGoneNotice, 'version'>,
  workloads: readonly string[],
): Content {
  const said = mrkdwn`gone: ${plural(workloads.length, 'workload')} no longer listed`;
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${said}: ${listed(workloads)}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.gone)} *${nameOf(place)}* GVC v${version} ${said}`),
      lines([mrkdwn`${listed(workloads)}`]),
      footer(place),
    ],
  };
}

const MAX_LINES = 10;
/** Workloads of one state that are named in a sentence; more are counted. */
const MAX_NAMED = 3;

/**
 * The message about a location in trouble, which stands for those about its workloads.
 * @param rows of the workloads that the channel watches
 */
export function locationContent(
  place: WatchedGvc,
  notice: Pick<LocationNotice, 'ref' | 'since' | 'closedAt'>,
  rows: readonly LocationRow[],
): Content {
  const { ref, since, closedAt } = notice;
  const sign = closedAt === null ? SIGNS[ref.state] : SIGNS.recovered;
  const standing = locationStatus(notice, rows);
  const left = closedAt === null ? whatServes(rows) : '';
  return {
    text: topText(
      mrkdwn`${locationTitle(place, ref.location)}: ${standing}: ${namesOf(rows)}${left}`,
    ),
    blocks: [
      section(
        mrkdwn`${new Mrkdwn(sign)} *${nameOf(place)}* in *${short(ref.location)}*: ${standing}${left}`,
      ),
      ...(closedAt === null ? details(rows) : []),
      footer(place, {
        what: closedAt === null ? 'since' : 'began',
        at: since,
        moves: closedAt === null,
      }),
    ],
  };
}

/** "7 workloads failed", "6 of 7 workloads still failed, 1 no longer", "7 workloads failed; over after 12 min" */
function locationStatus(
  { ref, since, closedAt }: Pick<LocationNotice, 'ref' | 'since' | 'closedAt'>,
  rows: readonly LocationRow[],
): string {
  const all = plural(rows.length, 'workload');
  if (closedAt !== null) return `${all} ${ref.state}; over${after(since, closedAt)}`;
  const sick = rows.filter(inTrouble);
  const states = TROUBLE.filter((state) => sick.some((row) => row.state === state));
  const better = rows.length - sick.length;
  if (sick.length === 0) return `${all} ${ref.state}, none of them now`;
  const firstOwn = states.toSorted((a, b) => Number(b === ref.state) - Number(a === ref.state));
  const what = firstOwn.join(' or ');
  return better === 0
    ? `${all} ${what}`
    : `${sick.length} of ${all} still ${what}, ${better} no longer`;
}

/** What people ask next: does anything still serve? '' where it is not known. */
function whatServes(rows: readonly LocationRow[]): string {
  const sick = rows.filter(inTrouble);
  const elsewhere = sick.filter(({ serves }) => serves === 'elsewhere').length;
  const nowhere = sick.filter(({ serves }) => serves === 'nowhere');
  if (elsewhere + nowhere.length === 0) return '';
  if (elsewhere === sick.length) return ' – the other locations still serve';
  if (nowhere.length === sick.length) return ' – nothing serves';
  const parts = [
    ...(elsewhere > 0 ? [`other locations still serve ${elsewhere} of them`] : []),
    ...(nowhere.length > 0 ? [`nothing serves ${listed(namesIn(nowhere))}`] : []),
  ];
  return ` – ${parts.join(', ')}`;
}

/** What is wrong, then how those are that are out of trouble. */
function details(rows: readonly LocationRow[]): KnownBlock[] {
  // Of thousands most say the same.
  const known = new Map<string, Mrkdwn>();
  const said = [...rows.filter(inTrouble), ...rows.filter((row) => !inTrouble(row))].map((row) => {
    const alike = `${row.state} ${row.cause}`;
    const line = known.get(alike) ?? lineOf(row);
    known.set(alike, line);
    return { name: row.workload, line };
  });
  return said.length === 0 ? [] : [lines(grouped(said), MAX_LINES)];
}

function lineOf(row: LocationRow): Mrkdwn {
  const wrong = inTrouble(row) ? whatIsWrong(row) : undefined;
  if (wrong !== undefined) return mrkdwn`${row.state}, ${wrong}`;
  return row.state === 'ready' ? mrkdwn`ready again` : mrkdwn`now ${row.state}`;
}

function inTrouble({ state }: Pick<LocationRow, 'state'>): boolean {
  return isTrouble(state);
}

/** Those in trouble, while there are any. */
function namesOf(rows: readonly LocationRow[]): string {
  const sick = rows.filter(inTrouble);
  return listed(namesIn(sick.length > 0 ? sick : rows));
}

function namesIn(rows: readonly LocationRow[]): string[] {
  return rows.map(({ workload }) => workload);
}

/**
 * A reply below the message of a location.
 * @param reply with the workloads that the channel watches
 */
export function locationReplyContent(
  place: WatchedGvc,
  notice: Pick<LocationNotice, 'ref' | 'since' | 'closedAt' | 'rows'>,
  reply: Pick<LocationReply, 'ref' | 'what' | 'workloads' | 'location' | 'closes'>,
): Content {
  const said = replySentence(notice, reply);
  const own = notice.rows.filter(({ workload }) => reply.workloads.includes(workload));
  return {
    text: topText(mrkdwn`${nameOf(place)} ${said}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[reply.ref.state])} *${nameOf(place)}* ${said}`),
      ...(reply.what === 'later' ? details(own.filter(inTrouble)) : []),
    ],
  };
}

function replySentence(
  { ref, since, closedAt, rows }: Pick<LocationNotice, 'ref' | 'since' | 'closedAt' | 'rows'>,
  reply: Parameters<typeof locationReplyContent>[2],
): string {
  const { workloads } = reply;
  const here = `in ${short(ref.location)}`;
  const names = listed(workloads);
  const state = reply.ref.state;
  if (reply.closes) return `${here} recovered${after(since, closedAt)}: ${howAllAre(rows)}`;
  switch (reply.what) {
    case 'later':
      return `${here}: ${plural(workloads.length, 'more workload')} ${state}: ${names}`;
    case 'elsewhere':
      return `in ${short(reply.location ?? '?')}, as in ${short(ref.location)} before: ${plural(workloads.length, 'workload')} ${state}: ${names}`;
    case 'back':
      return `${here}: ${plural(workloads.length, 'workload')} recovered: ${names}`;
  }
}

/** "7 workloads are ready again, coupons is idle": the best first, those that are ready by their number. */
function howAllAre(rows: readonly LocationRow[]): string {
  const ready = rows.filter(({ state }) => state === 'ready').length;
  if (ready === rows.length) {
    return ready === 1 ? 'the workload is ready again' : `all ${ready} workloads are ready again`;
  }
  const states = new Set(rows.map(({ state }) => state).filter((state) => state !== 'ready'));
  const others = [...states].map((state) => {
    const names = namesIn(rows.filter((row) => row.state === state));
    const who = names.length > MAX_NAMED ? plural(names.length, 'workload') : listed(names);
    return `${who} ${names.length === 1 ? 'is' : 'are'} ${state}`;
  });
  const again = `${plural(ready, 'workload')} ${ready === 1 ? 'is' : 'are'} ready again`;
  return [...(ready === 0 ? [] : [again]), ...others].join(', ');
}
