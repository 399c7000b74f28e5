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
  const isDue = isStepDue(event, state);
  const next = isDue ? [nextOf(place.org, event, state)] : [];
  const changes = isAboutTheVersion(event, state) ? changeLines(state) : [];
  const about = { workload, version: event.version, start: startOf(event, state) };
  const [only, ...others] = event.locations;
  const location = only !== undefined && others.length === 0 ? { location: only } : {};
  return contentOf([
    section(joinMrkdwn([line, ...next], '\n')),
    ...(changes.length === 0 ? [] : [lines(changes)]),
    ...(isDue || event.what === 'ready' ? [buttons(where, place, { ...about, ...location })] : []),
  ]);
}

/** Something is wrong or unknown, or it left without a known reason. */
function isStepDue({ what, call, impact }: Event, state: Workload): boolean {
  switch (what) {
    case 'call':
      return call?.until === undefined || impact.level > 0;
    case 'lost':
    case 'dropped':
    case 'crashes':
      return true;
    case 'back':
      return impact.level >= 2;
    case 'left':
      // By a person or by mistake; scaling to zero is usual.
      return reasonOfLeaving(state) !== 'scaled to zero';
    case 'ready':
    case 'over':
    case 'resumed':
      return false;
  }
}

/** Where the logs of a message begin: with the rollout, or a little before the trouble. */
function startOf(event: Event, state: Workload): number | undefined {
  if (isAboutTheVersion(event, state)) return state.startedAt;
  return (state.episode?.since ?? event.at) - LEAD_MS;
}

/** @param name "shop/cart v12" */
function lineOf(name: Mrkdwn, event: Event, state: Workload): Mrkdwn {
  const { what, call, impact, recovered, flaps } = event;
  if (call?.until !== undefined) return pastLine(name, event, call);
  const now = firstWords(impact);
  const happened = happening(event, state);
  const serves = serving(impact, silentIn(event));
  const sign = signOf(event);
  if (what === 'ready') {
    const lead = bold(recovered === undefined ? 'Ready' : 'Ready, recovered');
    return headline(sign, [lead, now, mrkdwn`${name}${happened}`, ...serves]);
  }
  const flapping = flaps === true ? 'flapping: 3 times in an hour' : '';
  const cause = spoken(causeOf(event, state));
  return headline(sign, [bold(now), mrkdwn`${name} ${happened}`, ...serves, flapping, cause]);
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
function silentIn({ what, word, locations, impact }: Event): readonly string[] {
  if (what === 'ready') return impact.silent;
  const isNamed = what === 'dropped' || (word === 'stale' && what !== 'back');
  return isNamed ? locations : [];
}

function signOf({ what, word, impact }: Event): string {
  switch (what) {
    case 'ready':
    case 'back':
    case 'resumed':
      return impact.level === 0 ? SIGN.good : signOfLevel(impact);
    case 'over':
      return word === 'recovered' ? SIGN.good : SIGN.unknown;
    case 'dropped':
    case 'left':
      return SIGN.unknown;
    case 'lost':
      return impact.level >= 2 ? SIGN.hurt : SIGN.unknown;
    case 'call':
    case 'crashes':
      return signOfLevel(impact);
  }
}

const HAPPENED: Partial<Record<Event['word'], string>> = {
  unhealthy: 'unhealthy',
  failed: 'rollout failed',
  stuck: 'rollout stuck',
  stale: 'no report (stale)',
  resumed: 'resumed',
  crashloop: 'keeps crashing',
};

function happening(event: Event, state: Workload): string {
  const { what, word, locations, recovered = [], leavers = [], since, at } = event;
  const where = inLocations(locations);
  switch (what) {
    case 'back':
      return `reports again${where}${duration('after', since, at)}`;
    case 'dropped':
      return `· no report for 24 h from ${listed(locations)}, dropped; what runs there is unknown`;
    case 'ready':
      return readiness(event, state);
    case 'over':
      return recovered.length === 0
        ? `over without recovery: ${whyOver(leavers)}`
        : `recovered in ${listed(recovered)}${duration('after', since, at)}${notRecovered(leavers)}`;
    case 'left':
      return `No longer serving: ${reasonOfLeaving(state)}`;
    case 'call':
    case 'lost':
    case 'resumed':
    case 'crashes':
      return `${HAPPENED[word] ?? word}${where}`;
  }
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

/** Of what reports again only where it serves too little: as a call. */
function causeOf({ what, impact, locations, call }: Event, { locations: all }: Workload): string {
  const isExplained = what === 'call' || what === 'crashes' || what === 'resumed';
  if (!isExplained && !(what === 'back' && impact.level >= 2)) return '';
  const causes = locations
    .flatMap((name) => all[name] ?? [])
    .flatMap(({ cause, restart }) => (what === 'crashes' ? [restart, cause] : [cause]));
  return call?.cause ?? causes.find((one) => one !== undefined && one !== '') ?? '';
}

function nextOf(org: string, event: Event, state: Workload): Mrkdwn {
  if (event.what === 'dropped') return CHECK;
  if (event.what === 'lost') return CHECK_AND_WAIT;
  if (event.what === 'left') {
    const back = reasonOfLeaving(state) === 'deleted' ? 'restore' : 'resume';
    return mrkdwn`→ If this was not meant, ${back} it`;
  }
  return nextStep(causeOf(event, state), { ...fallbackOf(event, state), org });
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
