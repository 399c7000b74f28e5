import { lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { joinMrkdwn, moment, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Fallback } from '../watch/causes.ts';
import { isKnown } from '../watch/location.ts';
import { rolledBy, versionBefore } from '../watch/rollout.ts';
import type { Event, Leaver, Workload } from '../watch/workload.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  bold,
  buttons,
  CHECK,
  CHECK_AND_WAIT,
  duration,
  firstWords,
  headline,
  levelWords,
  listed,
  nameOf,
  nextStep,
  serving,
  signOfLevel,
  spoken,
  undoGvc,
  type Content,
  type Whereabouts,
} from './parts.ts';
import { changeLines } from './changes.ts';

const HOUR_MS = 3_600_000;
const LEAD_MS = 10 * 60_000;

/** A message about one workload (design section 4.9). */
export function outcomeContent(
  place: WatchedGvc,
  workload: string,
  event: Event,
  state: Workload,
  where: Whereabouts,
): Content {
  const name = mrkdwn`${bold(nameOf(place, workload))} v${event.version}`;
  const line = lineOf(name, event, state);
  const cause = causeOf(event, state);
  const isDue = isStepDue(event, state);
  const next = isDue ? [nextOf(place.org, event, cause, state)] : [];
  const changes = isAboutTheVersion(event, state) ? changeLines(state) : [];
  const about = { workload, version: event.version, start: startOf(event, state) };
  const [only, ...others] = event.locations;
  const location = only !== undefined && others.length === 0 ? { location: only } : {};
  return contentOf([
    section(joinMrkdwn([line, ...next], '\n')),
    ...(changes.length === 0 ? [] : [lines(changes)]),
    ...(isDue || event.word === 'ready' ? [buttons(where, place, { ...about, ...location })] : []),
  ]);
}

/** Something is wrong or unknown, or it left without a known reason. */
function isStepDue(event: Event, state: Workload): boolean {
  const { word, call, report, leavers, impact } = event;
  const isPast = call?.until !== undefined && impact.level === 0;
  const isEnd = report !== undefined || leavers !== undefined;
  const isBad = BAD.has(word) && !isPast && !isEnd;
  return isBad || report === 'dropped' || isBackHurt(event) || isNewsOfLeaving(event, state);
}

/** It was deleted or suspended, by a person or by mistake; scaling to zero is usual. */
function isNewsOfLeaving({ word, leavers, report }: Event, state: Workload): boolean {
  const isLeaving = (word === 'gone' || word === 'suspended') && leavers === undefined;
  return isLeaving && report === undefined && reasonOfLeaving(state) !== 'scaled to zero';
}

/** Where the logs of a message begin: with the rollout, or a little before the trouble. */
function startOf(event: Event, state: Workload): number | undefined {
  if (isAboutTheVersion(event, state)) return state.startedAt;
  return (state.episode?.since ?? event.at) - LEAD_MS;
}

/** It reports again, and serves too little: a call like any other. */
function isBackHurt({ report, impact }: Event): boolean {
  return report === 'back' && impact.level >= 2;
}

const BAD: ReadonlySet<Event['word']> = new Set([
  'unhealthy',
  'failed',
  'stuck',
  'stale',
  'crashloop',
]);

/** @param name "shop/cart v12" */
function lineOf(name: Mrkdwn, event: Event, state: Workload): Mrkdwn {
  const { word, call, impact, recovered, leavers } = event;
  if (call?.until !== undefined) return pastLine(name, event, call);
  const now = firstWords(impact);
  const happened = happening(event, state);
  const serves = serving(impact, silentIn(event));
  if (word === 'ready') {
    const lead = bold(recovered === undefined ? 'Ready' : 'Ready, recovered');
    return headline(signOf(event), [lead, now, mrkdwn`${name}${happened}`, ...serves]);
  }
  const what = [bold(now), mrkdwn`${name} ${happened}`, ...serves];
  if (word === 'gone' || word === 'suspended' || leavers !== undefined) {
    return headline(word === 'recovered' ? SIGN.good : SIGN.unknown, what);
  }
  const flaps = event.flaps === true ? 'flapping: 3 times in an hour' : '';
  return headline(signOf(event), [...what, flaps, spoken(causeOf(event, state))]);
}

/** "was Outage 10:02–10:31, now No impact" */
function pastLine(
  name: Mrkdwn,
  { impact, word, locations }: Event,
  { level, locations: where, have, wanted, at, until = at, cause }: NonNullable<Event['call']>,
): Mrkdwn {
  const was = levelWords(level, where, have, wanted);
  const clock = '{time}';
  const past = mrkdwn`was ${was} ${moment(at, clock)}–${moment(until, clock)}, now ${firstWords(impact)}`;
  return headline(impact.level === 0 ? '' : signOfLevel(impact), [
    past,
    mrkdwn`${name} ${HAPPENED[word] ?? word}${inLocations(locations)}`,
    spoken(cause),
  ]);
}

/** " in lima, oslo" */
function inLocations(names: readonly string[]): string {
  return names.length === 0 ? '' : ` in ${listed(names)}`;
}

/** The locations without a report that the line names as what happened. */
function silentIn({ word, report, locations, impact }: Event): readonly string[] {
  if (word === 'ready') return impact.silent;
  return report === 'dropped' || (word === 'stale' && report === undefined) ? locations : [];
}

function signOf({ word, impact, report }: Event): string {
  if (report === 'back' || word === 'ready' || word === 'recovered' || word === 'resumed') {
    return impact.level === 0 ? SIGN.good : signOfLevel(impact);
  }
  if (word === 'stale') return impact.level >= 2 ? SIGN.hurt : SIGN.unknown;
  return signOfLevel(impact);
}

const HAPPENED: Partial<Record<Event['word'], string>> = {
  unhealthy: 'unhealthy',
  failed: 'rollout failed',
  stuck: 'rollout stuck',
  stale: 'no report (stale)',
  recovered: 'recovered',
  resumed: 'resumed',
  crashloop: 'keeps crashing',
};

function happening(event: Event, state: Workload): string {
  const { word, locations, recovered = [], leavers, report, since, at } = event;
  const where = inLocations(locations);
  if (report === 'back') return `reports again${where}${duration('after', since, at)}`;
  if (report === 'dropped') {
    return `· no report for 24 h from ${listed(locations)}, dropped; what runs there is unknown`;
  }
  if (word === 'ready') return readiness(event, state);
  if (leavers !== undefined) {
    if (recovered.length === 0) return `over without recovery: ${whyOver(leavers)}`;
    return `recovered in ${listed(recovered)}${duration('after', since, at)}${notRecovered(leavers)}`;
  }
  if (word === 'gone' || word === 'suspended')
    return `No longer serving: ${reasonOfLeaving(state)}`;
  return `${HAPPENED[word] ?? word}${where}`;
}

function reasonOfLeaving({ locations }: Workload): string {
  const states = new Set(Object.values(locations).map((one) => one.state));
  if (states.has('suspended')) return 'suspended';
  return states.has('idle') ? 'scaled to zero' : 'deleted';
}

/** " in 2 of 3 locations, oslo does not report · live in 4 min" */
function readiness(
  { locations, impact, recovered, leavers = [], at }: Event,
  state: Workload,
): string {
  const { silent } = impact;
  const total = Object.values(state.locations).filter(isKnown).length + silent.length;
  const some = `${locations.length} of ${total} locations, ${listed(silent)} ${silent.length === 1 ? 'does' : 'do'} not report`;
  const where = silent.length > 0 ? ` in ${some}` : ` in ${listed(locations)}`;
  const back = recovered === undefined ? '' : ` · recovered in ${listed(recovered)}`;
  const took = duration('· live in', state.startedAt, at);
  return `${where}${took}${back}${notRecovered(leavers)}`;
}

function notRecovered(leavers: readonly Leaver[]): string {
  return leavers.length === 0 ? '' : ` · not recovered: ${whyOver(leavers)}`;
}

function whyOver(leavers: readonly Leaver[]): string {
  return listed(leavers.map(({ location, why }) => `${location} ${why}`));
}

function causeOf(event: Event, { locations: all }: Workload): string {
  const { word, locations, call, report } = event;
  const isUnexplained = word === 'stale' || word === 'ready' || report !== undefined;
  if (isUnexplained && !isBackHurt(event)) return '';
  const own = locations.flatMap((name) => all[name] ?? []);
  const causes = own.flatMap(({ cause, restart }) =>
    word === 'crashloop' ? [restart, cause] : [cause],
  );
  const found = call?.cause ?? causes.find((one) => one !== undefined && one !== '');
  return found ?? '';
}

function nextOf(org: string, event: Event, cause: string, state: Workload): Mrkdwn {
  if (event.report === 'dropped') return CHECK;
  if (event.word === 'stale' && event.report === undefined) return CHECK_AND_WAIT;
  if (isNewsOfLeaving(event, state)) {
    const back = reasonOfLeaving(state) === 'deleted' ? 'restore' : 'resume';
    return mrkdwn`→ If this was not meant, ${back} it`;
  }
  return nextStep(cause, { ...fallbackOf(event, state), org });
}

/** The order that undoes the rollout of the message. */
export function fallbackOf(
  { at, impact, version }: Pick<Event, 'at' | 'impact' | 'version'>,
  state: Workload,
): Fallback {
  const gvc = rolledBy(state, at);
  const before = versionBefore(state, at, version);
  const urgent = impact.level >= 2;
  if (gvc !== undefined) return { back: undoGvc(gvc), urgent };
  return before === undefined ? {} : { back: `roll back to v${before}`, urgent };
}

function isAboutTheVersion({ word, at, edit }: Event, { startedAt }: Workload): boolean {
  if (startedAt === undefined || edit === true) return false;
  if (word === 'failed' || word === 'stuck' || word === 'ready') return true;
  return word === 'unhealthy' && at - startedAt <= HOUR_MS;
}
