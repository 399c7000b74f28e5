import type { KnownBlock } from '@slack/types';
import { plural, shorten } from '../../lib/text.ts';
import { lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { nextStepFor } from '../engine/explain.ts';
import type {
  GvcGoneNotice,
  GvcNotice,
  LocationNotice,
  LocationReply,
  LocationRow,
} from '../engine/notices.ts';
import { isTrouble, SIGNS, TROUBLE } from '../engine/states.ts';
import type { RowState } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { causeLines, listed, short, whatIsWrong } from './causes-view.ts';
import type { Cause } from './causes-view.ts';
import {
  cardHead,
  endingSentence,
  footer,
  gvcTitle,
  isAwaited,
  lasted,
  linkRow,
  locationTitle,
  nameOf,
  progress,
  share,
  took,
  whereAndWhen,
  wordOf,
  worstOf,
  moreRows,
} from './view-parts.ts';
import type { Content, Whereabouts } from './view-parts.ts';

/**
 * The card of a change of the GVC itself, which rolls its workloads anew: a row per workload.
 * @param notice with the rows of the workloads that the channel hears of
 * @param whole the channel watches the whole GVC
 */
export function gvcCardContent(
  place: WatchedGvc,
  notice: GvcNotice,
  whole: boolean,
  where: Whereabouts,
): Content {
  const { version, ending, rows, startedAt } = notice;
  const word = wordOf(ending, rows);
  const state = gvcStatus(notice, word);
  const last = ending === null ? mrkdwn`` : whereAndWhen(place, startedAt);
  const sign = new Mrkdwn(hurtIn(rows).length > 0 ? SIGN.hurt : SIGNS[word]);
  const head = mrkdwn`*${nameOf(place)}* GVC v${version}\n${sign} ${state}${last}`;
  const isOver = ending === 'superseded' || ending === 'gone';
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${state}`),
    blocks: [
      isOver ? section(head) : gvcHead(place, head, rows, whole),
      ...(ending === null ? gvcCardBody(place, notice) : []),
      ...(isOver ? [] : linkRow(where, place, { start: startedAt })),
    ],
  };
}

function gvcCardBody(place: WatchedGvc, { rows, startedAt }: GvcNotice): KnownBlock[] {
  const { shown, more } = worstOf(rows);
  const bars = rows.filter(isAwaited).map((row) => ({ ...row, name: row.workload }));
  return [
    progress(place, bars, { version: '', at: startedAt }),
    table(
      [{ title: 'Workload' }, { title: 'State' }, { title: 'Ready', align: 'right' }],
      shown.map((row) => [
        `${shorten(row.workload, CELL_LENGTH)} v${row.version}`,
        row.state,
        share(row),
      ]),
    ),
    ...moreRows(more),
  ];
}

/** Of a name in a table, in characters: two more columns stand beside it on a telephone. */
const CELL_LENGTH = 28;

/** A click is about what the channel watches. */
function gvcHead(
  place: WatchedGvc,
  head: Mrkdwn,
  rows: GvcNotice['rows'],
  whole: boolean,
): KnownBlock {
  const [only, ...others] = rows;
  if (whole) return cardHead(place, undefined, head);
  return only !== undefined && others.length === 0
    ? cardHead(place, only.workload, head)
    : cardHead(place, undefined, head, { unwatch: false });
}

/** Who is not waited for does not count. */
function gvcStatus(notice: GvcNotice, word: string): Mrkdwn {
  const { ending, rows, startedAt, readyAt } = notice;
  if (ending === 'superseded') return mrkdwn`superseded by v${notice.supersededBy ?? '?'}`;
  if (ending !== null) return mrkdwn`${endingSentence(ending, took(startedAt, readyAt))}`;
  const awaited = rows.filter(isAwaited);
  const ready = awaited.filter(({ state }) => state === 'ready').length;
  const hurt = hurtIn(rows);
  const outage = hurt.length === 0 ? '' : `OUTAGE of ${listed(namesIn(hurt))} · `;
  return mrkdwn`${word} · ${outage}${ready} of ${plural(awaited.length, 'workload')} ready`;
}

/** A workload that comes up is no outage. Why one fails is told in a message of its own. */
function hurtIn(rows: GvcNotice['rows']): GvcNotice['rows'] {
  return rows.filter((row) => row.hurt === true && inTrouble(row));
}

/** The one `ready` of a GVC's version: a reply in its card's thread. */
export function gvcReadyContent(place: WatchedGvc, notice: GvcNotice, where: Whereabouts): Content {
  const { version, startedAt, readyAt } = notice;
  const ready = notice.rows.filter(({ state }) => state === 'ready').length;
  const said = mrkdwn`ready in ${plural(ready, 'workload')}${took(startedAt, readyAt)}`;
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${said}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.ready)} *${nameOf(place)}* GVC v${version} ${said}`),
      ...linkRow(where, place, { start: startedAt }),
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
  where: Whereabouts,
): Content {
  const { ref, since, closedAt } = notice;
  const isOpen = closedAt === null;
  const { lead, rest } = isOpen ? troubleAt(notice, rows) : troubleOver(notice, rows);
  const isNamed = !isOpen && ref.state === 'stale';
  const of = isNamed ? nameOf(place) : locationTitle(place, ref.location);
  const names = isOpen ? `: ${namesOf(rows)}` : '';
  return {
    text: topText(mrkdwn`${lead} · ${of} · ${rest}${names}`),
    blocks: [
      section(mrkdwn`${locationSign(notice, rows)} *${lead}* · *${of}* · ${rest}`),
      ...(isOpen ? details(rows, ref.state) : []),
      footer(place, { what: isOpen ? 'since' : 'began', at: since, moves: isOpen }),
      ...linkRow(where, place, { location: ref.location, start: since }),
    ],
  };
}

/** Of what nothing serves it is known that users are hurt; of what does not report nothing is. */
function locationSign(
  { ref, closedAt }: Pick<LocationNotice, 'ref' | 'closedAt'>,
  rows: readonly LocationRow[],
): Mrkdwn {
  if (closedAt !== null) return new Mrkdwn(SIGN.good);
  if (isOutage(rows)) return new Mrkdwn(SIGN.hurt);
  return new Mrkdwn(rows.some(inTrouble) ? SIGNS[ref.state] : SIGN.good);
}

function isOutage(rows: readonly LocationRow[]): boolean {
  return rows.some(({ state, serves }) => isTooLittle(serves) && state !== 'stale');
}

function isTooLittle(serves: LocationRow['serves']): boolean {
  return serves === 'little' || serves === 'nothing';
}

interface Headline {
  lead: string;
  rest: string;
}

/** What is wrong, and whether anything still serves. */
function troubleAt({ ref }: Pick<LocationNotice, 'ref'>, rows: readonly LocationRow[]): Headline {
  const sick = rows.filter(inTrouble);
  const all = plural(rows.length, 'workload');
  const served = sick.length > 0 && sick.every(({ serves }) => serves === 'enough');
  const what = ref.state === 'stale' ? 'Location stopped reporting' : 'Location in trouble';
  const how = served ? 'users are served' : 'how much serves is not known';
  const lead = isOutage(rows) ? 'OUTAGE' : `${what}, ${how}`;
  if (sick.length === 0) {
    return {
      lead: 'Ready again here',
      rest: `${all} ${wereIn(ref.state, rows)}, others there still are`,
    };
  }
  const states = TROUBLE.filter((state) => sick.some((row) => row.state === state));
  const firstOwn = states.toSorted((a, b) => Number(b === ref.state) - Number(a === ref.state));
  const better = rows.length - sick.length;
  const said = firstOwn.join(' or ');
  const count =
    better === 0 ? `${all} ${said}` : `${sick.length} of ${all} still ${said}, ${better} no longer`;
  return { lead, rest: [count, ...whatServes(rows)].join(' · ') };
}

/** "azure-eastus2 stopped reporting for 30 s (8 workloads)" */
function troubleOver(
  { ref, since, closedAt }: Pick<LocationNotice, 'ref' | 'since' | 'closedAt'>,
  rows: readonly LocationRow[],
): Headline {
  const all = plural(rows.length, 'workload');
  const long = lasted('for', since, closedAt);
  return ref.state === 'stale'
    ? { lead: 'Reports again', rest: `${short(ref.location)} stopped reporting${long} (${all})` }
    : { lead: 'Recovered', rest: `${all} ${wereIn(ref.state, rows)}${long}` };
}

function wereIn(state: string, rows: readonly LocationRow[]): string {
  return `${rows.length === 1 ? 'was' : 'were'} ${state}`;
}

/** What people ask next: does anything still serve? Nothing where it is not known. */
function whatServes(rows: readonly LocationRow[]): string[] {
  const sick = rows.filter(inTrouble);
  const [nothing, little, enough] = (['nothing', 'little', 'enough'] as const).map((much) =>
    namesIn(sick.filter(({ serves }) => serves === much)),
  ) as [string[], string[], string[]];
  const whom = (names: readonly string[]): string =>
    names.length === sick.length ? 'them' : listed(names);
  return [
    ...(nothing.length > 0 ? [`nothing serves ${whom(nothing)}`] : []),
    ...(little.length > 0 ? [`too few replicas serve ${whom(little)}`] : []),
    // That all are served is what the title says.
    ...(enough.length > 0 && enough.length < sick.length
      ? [`users of ${enough.length} of them are served`]
      : []),
  ];
}

/**
 * What is wrong with its next step, then how those are that are out of trouble.
 * @param told the state that the title has
 */
function details(rows: readonly LocationRow[], told: string): KnownBlock[] {
  const all = [...rows.filter(inTrouble), ...rows.filter((row) => !inTrouble(row))];
  const causes = all.map((row) => causeIn(row, told));
  return causes.length === 0 ? [] : [lines(causeLines(causes, { named: true }))];
}

function causeIn(row: LocationRow, told: string): Cause {
  const { workload: name, state, cause } = row;
  const wrong = inTrouble(row) ? whatIsWrong(row) : undefined;
  if (wrong === undefined) {
    return { name, what: state === 'ready' ? mrkdwn`ready again` : mrkdwn`now ${state}`, next: '' };
  }
  const next =
    state === 'stale' ? 'nothing to do; the next report is told here' : nextStepFor(cause);
  return { name, what: state === told ? wrong : mrkdwn`${state}, ${wrong}`, next };
}

function inTrouble({ state }: { state: RowState }): boolean {
  return isTrouble(state);
}

/** Those in trouble, while there are any. */
function namesOf(rows: readonly LocationRow[]): string {
  const sick = rows.filter(inTrouble);
  return listed(namesIn(sick.length > 0 ? sick : rows));
}

function namesIn(rows: readonly Pick<LocationRow, 'workload'>[]): string[] {
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
  const own = notice.rows.filter(({ workload }) => reply.workloads.includes(workload));
  const { lead, rest } = replyHeadline(notice, reply, own);
  const hurts = reply.what !== 'back' && isOutage(own);
  const sign = new Mrkdwn(hurts ? SIGN.hurt : SIGNS[reply.ref.state]);
  const spoken = lead === '' ? mrkdwn`` : mrkdwn`${lead} · `;
  const shown = lead === '' ? mrkdwn`` : mrkdwn`*${lead}* · `;
  return {
    text: topText(mrkdwn`${spoken}${nameOf(place)} ${rest}`),
    blocks: [
      section(mrkdwn`${sign} ${shown}*${nameOf(place)}* ${rest}`),
      ...(reply.what === 'back' ? [] : details(own.filter(inTrouble), reply.ref.state)),
    ],
  };
}

function replyHeadline(
  { ref, since, closedAt, rows }: Pick<LocationNotice, 'ref' | 'since' | 'closedAt' | 'rows'>,
  reply: Parameters<typeof locationReplyContent>[2],
  own: readonly LocationRow[],
): Headline {
  const { workloads, what, location = '?', closes } = reply;
  const here = `in ${short(ref.location)}`;
  const names = listed(workloads);
  const { state } = reply.ref;
  if (closes) {
    const long = lasted('after', since, closedAt);
    return { lead: '', rest: `${here} recovered${long}: ${howAllAre(rows)}` };
  }
  const { lead } = own.some(inTrouble) ? troubleAt({ ref }, own) : { lead: '' };
  switch (what) {
    case 'later':
      return {
        lead,
        rest: `${here}: ${plural(workloads.length, 'more workload')} ${state}: ${names}`,
      };
    case 'elsewhere': {
      const also = `in ${short(location)}, too`;
      return { lead, rest: `${also}: ${plural(workloads.length, 'workload')} ${state}: ${names}` };
    }
    case 'back':
      return {
        lead: '',
        rest: `${here}: ${plural(workloads.length, 'workload')} recovered: ${names}`,
      };
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
