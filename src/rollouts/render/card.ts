import type { KnownBlock } from '@slack/types';
import {
  actions,
  button,
  context,
  lines,
  menuSection,
  section,
  SIGN,
  table,
} from '../../slack/kit/blocks.ts';
import { contentOf, messageText } from '../../slack/kit/message-text.ts';
import { moment, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { compareNatural, shorten } from '../../lib/text.ts';
import type { Fallback } from '../watch/causes.ts';
import type { Impact } from '../watch/impact.ts';
import { isAside, isUnknown, type Location, type State } from '../watch/location.ts';
import { byState, EXPLAINED, stateWord } from '../watch/status.ts';
import type { Workload } from '../watch/workload.ts';
import type { WatchedGvc } from '../watches.ts';
import { changeLines } from './changes.ts';
import { fallbackOf } from './outcome.ts';
import {
  bold,
  buttons,
  CARD_ACTIONS,
  causeLines,
  CHECK,
  dotted,
  duration,
  firstWords,
  headline,
  listed,
  nameOf,
  nextStep,
  serving,
  short,
  signOfLevel,
  type Content,
  type Whereabouts,
} from './parts.ts';

const CELL_LENGTH = 24;
const NONE = '–';
export const OLDER_GVC = 'older GVC';
const MAX_ROWS = 6;

/** The card of a rollout: one message, edited in place. */
export function cardContent(
  place: WatchedGvc,
  workload: string,
  state: Workload,
  impact: Impact,
  where: Whereabouts,
): Content {
  const word = stateWord(state);
  const took =
    state.readyAt === undefined ? '' : duration('· live in', state.startedAt, state.readyAt);
  const isOver = state.ends.ready !== undefined && word === 'ready';
  const name = mrkdwn`${bold(nameOf(place, workload))} v${state.version}${isOver ? took : ''}`;
  const words = [bold(word), firstWords(impact), name];
  const rows = rowsOf(state);
  const head = [...words, ...rows.map((row) => rowWords(row, state.version))];
  // A single location has no table.
  const only = rows.length === 1 ? rows.map((row) => rowWords(row, state.version)) : [];
  const more = changes(state);
  const serve = serving(impact);
  const isIll = impact.level >= 2 || word === 'failed' || word === 'unhealthy';
  const about = { at: where.now, impact, version: state.version };
  const fallback = { ...(isIll && fallbackOf(about, state)), org: place.org };
  const isSilent = isUnknown({ state: word });
  const usual = isIll ? [nextStep('', fallback)] : isSilent ? [CHECK] : [];
  const why = causes(rows, fallback, usual);
  return {
    text: messageText([section(dotted(head)), ...linesOf(dotted(serve)), ...more, ...why]),
    blocks: [
      menuSection(
        headline(signOf(word, impact), words),
        `${place.org}/${place.gvc}/${workload}`,
        MENU,
      ),
      ...linesOf(dotted([...only, ...serve])),
      ...more,
      ...(rows.length > 1 ? tableOf(rows, state.version) : []),
      ...why,
      buttons(where, place, {
        workload,
        version: state.version,
        start: state.startedAt ?? state.episode?.since,
      }),
      context(dotted([`org ${short(place.org)}`, ...started(state)])),
    ],
  };
}

const MENU = [
  { text: 'Details', action: CARD_ACTIONS.details },
  { text: 'Mute 1 h', action: CARD_ACTIONS.muteOneHour },
  { text: 'Mute 8 h', action: CARD_ACTIONS.muteEightHours },
  { text: 'Unwatch', action: CARD_ACTIONS.unwatchAsk },
];

/** The last edit of a card that another rollout has ended. */
export function closedCardContent(
  place: WatchedGvc,
  workload: string,
  closed: Workload,
  impact: Impact,
  next: number,
): Content {
  const back = next < closed.version ? (next <= 1 ? ', recreated' : ', an earlier version') : '';
  const line = headline(SIGN.over, [
    `superseded by v${next}${back}`,
    firstWords(impact),
    mrkdwn`${bold(nameOf(place, workload))} v${closed.version}`,
  ]);
  const value = `${place.org}/${place.gvc}/${workload}`;
  return contentOf([
    section(line),
    ...changes(closed),
    actions(button({ action: CARD_ACTIONS.details, text: 'Details', value })),
  ]);
}

function linesOf(words: Mrkdwn): KnownBlock[] {
  return words.text === '' ? [] : [lines([words])];
}

function changes(state: Workload): KnownBlock[] {
  const found = state.startedAt === undefined ? [] : changeLines(state);
  return found.length === 0 ? [] : [lines(found)];
}

function started({ startedAt, episode }: Workload): Mrkdwn[] {
  if (episode !== undefined) return [mrkdwn`since ${moment(episode.since, '{time}, {ago}')}`];
  return startedAt === undefined ? [] : [mrkdwn`started ${moment(startedAt, '{time}, {ago}')}`];
}

/** The sign of a workload; none for one that runs on a schedule. */
export function signOf(word: State, impact: Impact): string {
  if (impact.level > 0 || word === 'failed' || word === 'unhealthy') return signOfLevel(impact);
  if (word === 'ready') return SIGN.good;
  if (word === 'deploying' || word === 'pending') return SIGN.underWay;
  if (word === 'cron') return '';
  return word === 'stale' || word === 'unknown' ? SIGN.unknown : SIGN.off;
}

type Row = readonly [name: string, location: Location];

/** The worst first, then by name. */
function rowsOf({ locations }: Workload): Row[] {
  return Object.entries(locations)
    .filter(([, { state }]) => state !== 'cron')
    .toSorted(([a, one], [b, other]) => byState(one, other) || compareNatural(a, b));
}

function rowWords([name, location]: Row, version: number): string {
  if (isUnknown(location) || isAside(location)) return `${short(name)} ${location.state}`;
  const isOwn = location.version === version;
  const other = isOwn ? otherOf(location, version) : NONE;
  const serves = other === NONE ? '' : `, ${other}`;
  return `${short(name)}${isOwn ? '' : ` v${location.version}`} ${location.state} ${shareOf(location)}${serves}`;
}

function shareOf(location: Location): string {
  const { fresh, wanted } = location;
  return isUnknown(location) || isAside(location) ? NONE : `${Math.min(fresh, wanted)}/${wanted}`;
}

function tableOf(rows: readonly Row[], version: number): KnownBlock[] {
  const shown = rows.slice(0, MAX_ROWS);
  const more = rows.length - shown.length;
  return [
    table(
      [
        { title: 'Location' },
        { title: 'State' },
        { title: `v${version}`, align: 'right' },
        { title: 'Other', align: 'right' },
      ],
      shown.map(([name, location]) => [
        shorten(name, CELL_LENGTH),
        location.state,
        location.version === version ? shareOf(location) : NONE,
        otherOf(location, version),
      ]),
    ),
    ...(more === 0
      ? []
      : [context(mrkdwn`${more} more: ${listed(rows.slice(MAX_ROWS).map(([name]) => name))}`)]),
  ];
}

/** Versions that serve beside that of the card, or still in its place; it may itself, of an older GVC version. */
function otherOf(
  { state, version, fresh, others = [], wanted }: Location,
  expected: number,
): string {
  if (state === 'gone' || isUnknown({ state })) return NONE;
  const own = version === expected ? [] : [[version, fresh] as const];
  const [first] = [...own, ...others].filter(([, ready]) => ready > 0);
  if (first === undefined) return NONE;
  const [serves, ready] = first;
  const name = serves === version && version === expected ? OLDER_GVC : `v${serves}`;
  return `${name} ${ready}/${wanted}`;
}

/** Each cause with its next step, else the usual step, and a remark where a location has gone past its version. */
function causes(rows: readonly Row[], fallback: Fallback, usual: readonly Mrkdwn[]): KnownBlock[] {
  const explained = rows
    .filter(([, { state }]) => EXPLAINED.has(state))
    .map(([name, { cause = '' }]) => [name, cause] as const);
  const found = causeLines(explained, rows.length > 1, () => fallback);
  const all = found.length > 0 ? found : usual;
  const apart = rows.filter(([, one]) => one.apart?.isOld === true);
  const remarks = apart.map(
    ([name, one]) =>
      mrkdwn`${short(name)} diverged: it reports v${one.apart?.version ?? 0}, v${one.version} is expected`,
  );
  return all.length + remarks.length === 0 ? [] : [lines([...all, ...remarks])];
}
