import { needRefusal, READERS, type Principal } from '../../access/policy.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { unitsOfMetrics, pluralOf, priceUnit } from '../../reporting/quantity.ts';
import { valuesIn } from '../../reporting/range.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import { formatTime, isZone } from '../../reporting/schedule.ts';
import type { Services } from '../../services.ts';
import { requireOwnReaders } from '../../slack/audience.ts';
import { findZone, isDirect, OUTSIDE, requireChannelMember } from '../../slack/directory.ts';
import type { Person } from '../../slack/routing/routes.ts';
import { resolveQuestion } from './question.ts';
import type { Saved } from './saved.ts';
import type { NewTrigger } from './grammar.ts';
import type { Source, Viewer } from './source.ts';

export type SavedServices = Pick<
  Services,
  | 'access'
  | 'audience'
  | 'billing'
  | 'clock'
  | 'config'
  | 'jobs'
  | 'kept'
  | 'keys'
  | 'logger'
  | 'outbox'
  | 'redis'
  | 'reports'
  | 'slack'
  | 'wake'
>;

/**
 * Validates a question before it is saved. Requires a billing role and membership of the channel (design section 6);
 * the question's orgs and items have to exist.
 * @param here the channel of the request
 * @throws Refusal, UsageError, PlatformError
 */
export async function savedOf(
  source: Source,
  services: SavedServices,
  { person, here }: { person: Person; here: string },
  { channel = here, ...wanted }: Wanted,
): Promise<Saved> {
  const { access, clock, config } = services;
  await access.requireRole(person, READERS);
  const viewer = await source.authorize(person);
  await requirePlace(source, services, { person, here }, channel);
  const asked = { query: wanted.query, askedAt: clock.now() };
  const { query } = await resolveQuestion(source, viewer, asked, clock);
  const triggerOf = async (typed: NewTrigger): Promise<Saved['trigger']> => {
    const { over, every = 'daily', at = formatTime(config.digest.time) } = typed;
    return over === undefined
      ? { kind: 'answer', every, at, zone: await zoneOf(services, person) }
      : { kind: 'over', amount: over, ...(await unitFor(source, viewer, query)) };
  };
  const { userId, teamId } = person;
  return {
    source: source.name,
    query,
    channel,
    by: { userId, teamId },
    trigger: 'kind' in wanted.trigger ? wanted.trigger : await triggerOf(wanted.trigger),
  };
}

export interface Wanted {
  readonly query: ReportQuery;
  /** Undefined: where it is asked for. */
  readonly channel: string | undefined;
  /** A trigger that was saved is kept as it is, with its zone or its unit. */
  readonly trigger: Saved['trigger'] | NewTrigger;
}

/** The member and Purser are in the channel, and figures may be read there. @throws Refusal */
async function requirePlace(
  source: Source,
  { audience, slack }: SavedServices,
  { person, here }: { person: Person; here: string },
  channel: string,
): Promise<void> {
  await requireChannelMember(slack, { person, channelId: here }, channel);
  // That it is the member's own is known by now.
  if (isDirect(channel)) return;
  const reading = await audience.audienceOf(channel, { fresh: true });
  if (reading.audience?.isArchived === true) throw new Refusal(ARCHIVED);
  const isOutside = OUTSIDE.has(reading.unread ?? '') || reading.audience?.isMember === false;
  if (isOutside) throw new Refusal(NOT_THERE);
  if (hasFigures(source)) requireOwnReaders(reading);
}

/** Quantities are no billing figures. */
export function hasFigures({ name }: Pick<Source, 'name'>): boolean {
  return name === 'charges';
}

/**
 * Whether a member may see the answer, read afresh.
 * @throws Refusal when Slack or the platform does not answer
 */
export async function readRight(
  source: Source,
  { access }: Pick<SavedServices, 'access'>,
  person: Person,
): Promise<{ who: Principal; refusal: string | undefined }> {
  const isOfOrgs = source.name === 'usage';
  const who = await access.principal(person, { orgs: isOfOrgs });
  const refusal =
    who.refusal ??
    needRefusal({ roles: READERS }, who) ??
    (isOfOrgs ? needRefusal('orgs', who) : undefined);
  return { who, refusal };
}

const NO_ZONE = 'Slack omits your time zone just now: try again in a minute.';
const ARCHIVED =
  'That channel is archived, so Purser cannot post there: choose another one, or unarchive it.';
const NOT_THERE =
  'Purser is not in that channel, so it cannot post there: invite it with /invite, then ask again.';

/** The member's time zone; UTC if it is unknown. @throws Refusal if Slack does not answer */
async function zoneOf({ slack }: SavedServices, { userId }: Person): Promise<string> {
  const zone = await findZone(slack, userId).catch((error: unknown) => {
    throw new Refusal(NO_ZONE, error);
  });
  return zone !== undefined && isZone(zone) ? zone : 'UTC';
}

/** The unit of an amount of usage. @throws UsageError for several metrics, which have no sum */
async function unitFor(
  source: Source,
  viewer: Viewer,
  { of, where }: ReportQuery,
): Promise<{ unit?: string; size?: string }> {
  if (source.name === 'charges') return {};
  const named = where['metric'] === undefined ? of : (valuesIn('metric', where['metric']) ?? []);
  const [metric, ...others] = named;
  if (metric === undefined || others.length > 0) {
    throw new UsageError('An amount of usage is of one metric: name it.').withExample('of cpu');
  }
  const catalogue = await source.knownItems?.(viewer);
  const unit = priceUnit(unitsOfMetrics(catalogue?.items)(metric));
  return unit === undefined ? {} : { unit: pluralOf(unit.name), size: unit.size.toFixed() };
}
