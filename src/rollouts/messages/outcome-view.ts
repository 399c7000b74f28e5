import { formatDuration, plural } from '../../lib/text.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { nextStepFor, plainCause, type Fallback } from '../engine/explain.ts';
import { impactOf, type Impact } from '../engine/impact.ts';
import type { RolloutNotice } from '../engine/notices.ts';
import type { Row } from '../engine/rollout.ts';
import { isTrouble, stateIs, TROUBLE } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  causeLines,
  causeOf,
  changeLines,
  listed,
  short,
  spoken,
  type Cause,
} from './causes-view.ts';
import {
  affected,
  inBar,
  isAwaited,
  lasted,
  linkRow,
  rolloutName,
  rolloutTitle,
  servingWords,
  signOf,
  took,
  type Content,
  type Whereabouts,
} from './view-parts.ts';

type Outcome = NonNullable<RolloutNotice['outcome']>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What counts as lagging has lasted this long (design section 4). */
const LAG_MS = 10 * MINUTE_MS;
/** Without a change for so long flapping is over. */
const QUIET = formatDuration(10 * MINUTE_MS);
/** Changes that there were when flapping is first told; each outcome that it covers later is one more. */
const CHANGES_UNTOLD = 3;
/** What a version changed explains its trouble for so long. */
const CHANGES_MATTER_MS = 24 * HOUR_MS;

/** What an outcome is told with: its notice, the rows that it is about, and how much it hurts. */
interface OutcomeContext {
  notice: RolloutNotice;
  outcome: Outcome;
  rows: readonly Row[];
  impact: Impact;
  now: number;
}

/** First what it is and how bad, then what and where, then what serves meanwhile. */
interface Headline {
  /** "OUTAGE", "Rollout failed, nobody affected"; absent where nothing is wrong. */
  lead?: string;
  /** What comes after the name and the version. */
  rest: string;
}

/**
 * An outcome: a reply in the card's thread. Its text is what a telephone shows, so the first cause
 * belongs into it.
 */
export function outcomeContent(
  place: WatchedGvc,
  notice: RolloutNotice,
  where: Whereabouts,
): Content {
  const { outcome, workload, version, rollout } = notice;
  if (outcome === undefined) throw new Error('a card is not an outcome');
  const rows = notice.rows.filter((row) => outcome.locations.includes(row.location));
  const impact = impactOf(notice.rows);
  const context = { notice, outcome, rows, impact, now: where.now };
  const { lead, rest } = headlineOf(context);
  const causes = causesOf(context);
  // That nothing is reported is what the title says.
  const cause = outcome.kind === 'stale' ? mrkdwn`` : firstOf(causes);
  const after = rest === '' ? mrkdwn`` : mrkdwn` ${rest}`;
  const title = mrkdwn`${rolloutTitle(place, notice)}${after}`;
  const said = lead === undefined ? title : mrkdwn`*${lead}* · ${title}`;
  const spokenLead = lead === undefined ? '' : `${lead} · `;
  const body = [...causeLines(causes, { named: false }), ...changesIn(context)];
  const [only, ...others] = outcome.locations;
  const start = rollout.startedAt ?? Math.min(...rows.map(({ since }) => since));
  return {
    text: topText(mrkdwn`${spokenLead}${rolloutName(place, workload, version)}${after}${cause}`),
    blocks: [
      section(mrkdwn`${outcomeSign(context)} ${said}`),
      ...(body.length === 0 ? [] : [lines(body)]),
      ...linkRow(where, place, {
        workload,
        version,
        ...(only === undefined || others.length > 0 ? {} : { location: only }),
        ...(Number.isFinite(start) ? { start } : {}),
      }),
    ],
  };
}

/** For the notification: the cause, or the first of several with where it is. */
function firstOf(causes: readonly Cause[]): Mrkdwn {
  const [first] = causes;
  if (first === undefined) return mrkdwn``;
  const kinds = new Set(causes.map(({ what }) => what.text)).size;
  return kinds === 1
    ? mrkdwn`: ${first.what}`
    : mrkdwn`: ${kinds} causes, in ${short(first.name)} ${first.what}`;
}

/** Of what does not report it is not known that it is late. */
function outcomeSign({ outcome, impact, rows }: OutcomeContext): Mrkdwn {
  const { kind, settled } = outcome;
  if (settled !== undefined) return signOf(settled, impact);
  if (kind === 'stale') return new Mrkdwn(SIGN.unknown);
  const silent = kind === 'lagging' && rows.every(({ state }) => state === 'unknown');
  return signOf(silent ? 'unknown' : kind, impact);
}

function headlineOf(context: OutcomeContext): Headline {
  const { notice, outcome, impact, now } = context;
  const { startedAt, readyAt } = notice.rollout;
  const where = whereabouts(outcome.locations, notice.rows);
  const words = servingWords(impact, notice.version);
  const serving = words === '' ? '' : ` · ${words}`;
  switch (outcome.kind) {
    case 'ready':
      return { rest: `ready ${where}${outcome.n === 1 ? took(startedAt, readyAt) : ''}` };
    case 'recovered':
      return { rest: `recovered ${where}${lasted('after', outcome.since, now)}${serving}` };
    case 'suspended':
      return { rest: `suspended ${where} · switched off on purpose${nothingServes(context)}` };
    case 'resumed':
      return { rest: `resumed ${where} · serving again` };
    case 'gone':
      return { rest: `gone ${where} · no longer listed${nothingServes(context)}` };
    case 'diverged':
      return { rest: `diverged ${where}` };
    case 'flapping':
      return flapping(context, where);
    case 'lagging':
      return isStuck(context) ? stuck(context) : lagging(context, where);
    case 'crashloop':
      return troubled(context, 'Unstable', `keeps crashing ${where}`);
    case 'blocked':
      return troubled(context, 'Rollout blocked', outcome.kind, where);
    case 'failed':
      return troubled(context, 'Rollout failed', outcome.kind, where);
    case 'unhealthy':
      return impact.on === 'hurt' && impact.ready === 0
        ? { lead: 'OUTAGE', rest: `serves nothing ${where}` }
        : troubled(context, 'Degraded', `unhealthy ${where}`);
    case 'stale':
      return troubled(context, 'No report', `stale ${where}`);
  }
}

/**
 * @param lead what it is, where it hurts nobody
 * @param word what it is, where the lead says that users are hurt
 * @param where beside a lead that says what it is
 */
function troubled(context: OutcomeContext, lead: string, word: string, where?: string): Headline {
  const { impact, notice, outcome } = context;
  const serves = servingWords(impact, notice.version);
  const end = serves === '' ? '' : ` · ${serves}`;
  if (outcome.kind === 'stale') {
    return { lead, rest: `${word}${serves === '' ? '' : `${end} elsewhere`}` };
  }
  if (impact.on === 'hurt') {
    return { lead: 'OUTAGE', rest: `${where === undefined ? word : `${word} ${where}`}${end}` };
  }
  // What restarts all the time may serve, but nobody knows that it is not felt.
  const isUneasy = impact.full && (outcome.kind === 'crashloop' || outcome.kind === 'flapping');
  const whom = isUneasy ? 'users are served' : affected(impact);
  return { lead: `${lead}, ${whom}`, rest: `${where ?? word}${end}` };
}

function nothingServes({ notice }: OutcomeContext): string {
  return notice.rows.some(isAwaited) ? '' : ', so nothing serves';
}

function whereabouts(locations: readonly string[], rows: readonly Row[]): string {
  const inUse = rows.filter(isAwaited);
  const all = inUse.length === 0 ? rows : inUse;
  if (!isEverywhere(locations, all)) return `in ${listed(locations)}`;
  const some = all.length < rows.length ? ' in use' : '';
  return all.length === 2 ? `in both locations${some}` : `in all ${all.length} locations${some}`;
}

function isEverywhere(locations: readonly string[], rows: readonly Row[]): boolean {
  return rows.length > 1 && rows.every((row) => locations.includes(row.location));
}

/** A location may have moved since the channel was told, and another one join the message. */
function isStuck({ notice, outcome }: OutcomeContext): boolean {
  const awaited = notice.rows.filter(isAwaited);
  return outcome.broadcast === true && awaited.every(({ state }) => stateIs(state, 'onTheWay'));
}

/** "Stuck for 10 min · shop/orders-db v10 · 0 of 9 replicas · v9 serves" */
function stuck({ notice, impact, now }: OutcomeContext): Headline {
  const { rollout, rows, version } = notice;
  const bars = rows
    .filter(isAwaited)
    .filter(({ state }) => !stateIs(state, 'uncounted'))
    .map(inBar);
  const sum = (part: 'ready' | 'wanted'): number =>
    bars.reduce((total, one) => total + one[part], 0);
  const still = Math.max(LAG_MS, now - (rollout.moved ?? now));
  const lead = `Stuck for ${formatDuration(still - (still % MINUTE_MS))}`;
  if (impact.on === 'unknown') {
    return { lead: 'No report', rest: `lagging${lead.slice('Stuck'.length)}` };
  }
  const { by, ready, wanted } = impact;
  const own = sum('ready');
  const parts = [
    ...(bars.length === 0 ? [] : [`${own} of ${plural(sum('wanted'), 'replica')}`]),
    ...(by === undefined || by === version ? [] : [`v${by} serves`]),
    ...(ready > own && by === undefined ? [`${ready} of ${wanted} with older versions`] : []),
    ...(impact.on === 'hurt' && ready === 0 ? ['nothing serves'] : []),
  ];
  return {
    lead: impact.on === 'hurt' ? `OUTAGE · ${lead}` : lead,
    rest: ['', ...parts].join(' · ').trimStart(),
  };
}

const AWAY: ReadonlySet<Row['state']> = new Set(['waiting', 'pending']);

/** How a location lags, in the order in which it is told. */
const LAGS: readonly { holds: (row: Row) => boolean; words: string }[] = [
  { holds: ({ state }) => AWAY.has(state), words: 'the change has not reached' },
  { holds: ({ state }) => !AWAY.has(state) && state !== 'unknown', words: 'not ready in' },
  { holds: ({ state }) => state === 'unknown', words: 'nothing reported from' },
];

/** Of a change that does not arrive there are no logs. */
function nextOfLag(context: OutcomeContext): string {
  return context.rows.some(({ state }) => AWAY.has(state) || state === 'unknown')
    ? 'wait some minutes, then ask the platform team'
    : nextStepFor('', mayGoBack(context));
}

/** "lagging in oslo for 12 min · v11 serves 6/6" */
function lagging({ notice, rows, impact, now }: OutcomeContext, where: string): Headline {
  const since = rows.flatMap(({ location }) => notice.rollout.late[location] ?? []);
  const lag = Math.max(LAG_MS, now - Math.min(now, ...since));
  const serves = servingWords(impact, notice.version);
  const long = formatDuration(lag - (lag % MINUTE_MS));
  const rest = `lagging ${where} for ${long}${serves === '' ? '' : ` · ${serves}`}`;
  return impact.on === 'hurt' ? { lead: 'OUTAGE', rest } : { rest };
}

function lagWords(rows: readonly Row[]): string {
  return LAGS.map(({ holds, words }) => ({ words, late: rows.filter(holds) }))
    .filter(({ late }) => late.length > 0)
    .map(({ words, late }) => `${words} ${listed(late.map(({ location }) => location))}`)
    .join(', ');
}

function flapping(context: OutcomeContext, where: string): Headline {
  const { rollout, version } = context.notice;
  const { covers = [], settled } = context.outcome;
  const changes = plural(CHANGES_UNTOLD + Math.max(1, covers.length), 'change');
  if (settled !== undefined) {
    const state = `${settled} ${where} for ${QUIET}`;
    const { lead, rest } = isTrouble(settled)
      ? troubled(context, settled === 'stale' ? 'No report' : 'Degraded', state)
      : { rest: state };
    const end = `${rest} · flapping is over after ${changes}`;
    return lead === undefined ? { rest: end } : { lead, rest: end };
  }
  const troubles = TROUBLE.filter((kind) => rollout.told[`${version}/${kind}`] !== undefined);
  const { lead = '', rest } = troubled(context, 'Unstable', `flapping ${where}`);
  const often = `${changes} between ready and ${troubles.join(' or ')}`;
  return { lead, rest: `${rest} · ${often} · silent until stable for ${QUIET}` };
}

/**
 * What restarts again and again may be ready in between, and has its cause all the same. What flaps may
 * be in any state by the time it is read.
 */
function causesOf(context: OutcomeContext): Cause[] {
  const { outcome, rows } = context;
  const { kind, settled } = outcome;
  if (kind === 'flapping' && settled === undefined) return [];
  const fallback = mayGoBack(context);
  const causes = rows.flatMap((row): Cause[] => {
    const { location: name, cause, state } = row;
    const mayServe = state === 'waiting' || state === 'unknown';
    if (kind === 'lagging' && mayServe && cause !== '') {
      return [
        {
          name,
          what: spoken(cause),
          next: plainCause(cause) === '' ? nextOfLag(context) : nextStepFor(cause, fallback),
        },
      ];
    }
    const known = causeOf(row, fallback, kind === 'crashloop');
    return known === undefined ? [] : [known];
  });
  if (kind !== 'lagging' || causes.length > 0) return causes;
  const what = mrkdwn`${lagWords(rows)}`;
  const next = nextOfLag(context);
  return rows.map(({ location: name }) => ({ name, what, next }));
}

/** Going back is an answer to what a new version brought, and not to what befell an old one. */
function mayGoBack({ notice, outcome, impact, now }: OutcomeContext): Fallback {
  const { rollout, rows, version } = notice;
  const isNew = rollout.startedAt !== null && now - rollout.startedAt <= CHANGES_MATTER_MS;
  const isEvent = outcome.kind === 'stale' || outcome.kind === 'diverged';
  if (!isNew || isEvent) return {};
  const worked = rows.flatMap(({ specBefore }) => specBefore?.version ?? []);
  const older = [impact.by ?? 0, ...worked].find((one) => one > 0 && one < version);
  return older === undefined ? {} : { version: older, urgent: impact.on === 'hurt' };
}

/** What the version changed, where that is news or may be why. */
function changesIn(context: OutcomeContext): Mrkdwn[] {
  const { rollout, rows, version } = context.notice;
  const { startedAt } = rollout;
  if (startedAt === null || !isAboutTheVersion(context, startedAt)) return [];
  return changeLines(rows, version);
}

function isAboutTheVersion({ outcome, now }: OutcomeContext, startedAt: number): boolean {
  const { kind, n, broadcast } = outcome;
  if (kind === 'failed' || kind === 'blocked') return true;
  if (kind === 'ready') return n === 1;
  if (kind === 'lagging') return broadcast === true;
  return kind === 'unhealthy' && now - startedAt <= HOUR_MS;
}
