import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { nextStepFor } from '../engine/explain.ts';
import type { LocationNotice, LocationReply, LocationRow } from '../engine/notices.ts';
import { isTrouble, SIGNS, TROUBLE } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { causeLines, listed, short, whatIsWrong, type Cause } from './causes-view.ts';
import {
  footer,
  lasted,
  linkRow,
  locationTitle,
  nameOf,
  type Content,
  type Whereabouts,
} from './view-parts.ts';

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
  const spoken = isOpen ? troubleAt(notice, rows, { named: true }).rest : rest;
  return {
    text: topText(mrkdwn`${lead} · ${of} · ${spoken}`),
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
  return rows.some(({ state, serves = 'enough' }) => serves !== 'enough' && state !== 'stale');
}

interface Headline {
  lead: string;
  rest: string;
}

/** What is wrong, and whether anything still serves. @param how.named without a list below it */
function troubleAt(
  { ref }: Pick<LocationNotice, 'ref'>,
  rows: readonly LocationRow[],
  { named = false } = {},
): Headline {
  const sick = rows.filter(inTrouble);
  const all = plural(rows.length, 'workload');
  const served = sick.every(({ serves }) => serves === 'enough');
  const what = ref.state === 'stale' ? 'Location stopped reporting' : 'Location in trouble';
  const how = served ? 'users are served' : 'how much serves is not known';
  const lead = isOutage(rows) ? 'OUTAGE' : `${what}, ${how}`;
  if (sick.length === 0) {
    const who = named ? `${all} (${listed(namesIn(rows))})` : all;
    return {
      lead: 'Ready again',
      rest: `${who} no longer ${ref.state}; others there, not watched here, still are`,
    };
  }
  const states = TROUBLE.filter((state) => sick.some((row) => row.state === state));
  const firstOwn = states.toSorted((a, b) => Number(b === ref.state) - Number(a === ref.state));
  const better = rows.length - sick.length;
  const names = named ? ` (${listed(namesIn(sick))})` : '';
  const said = `${firstOwn.join(' or ')}${names}`;
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
  const of = (much: LocationRow['serves']) => namesIn(sick.filter((row) => row.serves === much));
  const [nothing, little, enough] = [of('nothing'), of('little'), of('enough')];
  const whom = (names: readonly string[]) =>
    names.length === sick.length ? 'them' : listed(names);
  // That all are served is what the title says.
  const isSome = enough.length > 0 && enough.length < sick.length;
  return [
    ...(nothing.length > 0 ? [`nothing serves ${whom(nothing)}`] : []),
    ...(little.length > 0 ? [`too few replicas serve ${whom(little)}`] : []),
    ...(isSome ? [`users of ${enough.length} of them are served`] : []),
  ];
}

/**
 * What is wrong with its next step, then how those are that are out of trouble.
 * @param told the state that the title has
 */
function details(rows: readonly LocationRow[], told: string): KnownBlock[] {
  const hurtFirst = rows.toSorted((a, b) => harmOf(b) - harmOf(a));
  const all = [...hurtFirst.filter(inTrouble), ...rows.filter((row) => !inTrouble(row))];
  const causes = all.map((row) => causeIn(row, told));
  return causes.length === 0 ? [] : [lines(causeLines(causes, { named: true }))];
}

/** What serves elsewhere needs no look. */
function nextOfStale({ serves }: LocationRow): string {
  return serves === 'enough'
    ? 'nothing to do; the next report is told here'
    : 'look from outside whether it serves; the next report is told here';
}

/** How little serves of it, for an order. */
function harmOf({ serves }: LocationRow): number {
  return serves === 'nothing' ? 2 : Number(serves === 'little');
}

function causeIn(row: LocationRow, told: string): Cause {
  const { workload: name, state, cause } = row;
  const wrong = inTrouble(row) ? whatIsWrong(row) : undefined;
  if (wrong === undefined) {
    return { name, what: state === 'ready' ? mrkdwn`ready again` : mrkdwn`now ${state}`, next: '' };
  }
  const next = state === 'stale' ? nextOfStale(row) : nextStepFor(cause);
  return { name, what: state === told ? wrong : mrkdwn`${state}, ${wrong}`, next };
}

function inTrouble({ state }: LocationRow): boolean {
  return isTrouble(state);
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
        rest: [
          `${here}: ${plural(workloads.length, 'more workload')} ${state} (${names})`,
          ...whatServes(own),
        ].join(' · '),
      };
    case 'elsewhere': {
      const who = `${plural(workloads.length, 'workload')} ${state} (${names})`;
      return { lead, rest: [`in ${short(location)}, too: ${who}`, ...whatServes(own)].join(' · ') };
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
