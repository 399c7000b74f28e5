import type { GvcFacts, OrgFacts } from '../../../../src/features/doctor/orgs.ts';
import type { CallResult } from '../../../../src/features/doctor/calls.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import {
  judge,
  type Check,
  type Finding,
  type Probe,
} from '../../../../src/features/doctor/probe.ts';
import { createRedisCheck } from '../../../../src/features/doctor/redis.ts';
import { slackProbes, type SlackFacts } from '../../../../src/features/doctor/slack.ts';
import { workProbes, type WorkFacts } from '../../../../src/features/doctor/work.ts';
import { systemStopwatch } from '../../../../src/lib/time.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import type { RedisNodeFacts } from '../../../../src/store/server.ts';
import type { RedisConnection } from '../../../../src/store/redis.ts';

/** Everything that a person reads in an answer, and in the window that its button opens. */
export function readingOf({ blocks, rest }: Answer): string {
  return [...blocks, ...(rest?.blocks ?? [])].map((block) => JSON.stringify(block)).join('\n');
}

/** A finding as one line, without the marks of code: "broken Clock: it is late → set it". */
export function lineOf({ state, what, says, fix }: Finding): string {
  return `${state} ${what}: ${says}${fix === undefined ? '' : ` → ${fix}`}`.replaceAll('`', '');
}

/** The findings of a part of the table. */
export const judged =
  <Seen extends unknown[]>(probes: (...seen: Seen) => Probe | readonly Probe[]) =>
  (...seen: Seen): Finding[] =>
    judge([probes(...seen)].flat());

/** The check of a Redis that is configured as a single node. */
export function redisCheck(redis: RedisConnection): Check {
  return createRedisCheck({
    redis,
    stopwatch: systemStopwatch,
    config: { redis: { nodes: [], cluster: false, sentinel: undefined, prefix: 'purser' } },
  });
}

/** A call that the platform answered. */
export function found<T>(value: T): Extract<CallResult<T>, { ok: true }> {
  return { ok: true, value };
}

/** A call that it did not answer, or refused. */
export function failed(
  reason: PlatformReason,
  status?: number,
): Extract<CallResult<never>, { ok: false }> {
  return { ok: false, error: new PlatformError(reason, 'the server’s words', { status }) };
}

/** The known facts of an org before the first call with its key. */
export const ACME: OrgFacts = {
  org: 'acme',
  credential: 'bearer',
  token: 'unknown',
  sharedWith: [],
  isUserToken: false,
  places: [],
  gvcs: [],
  usage: undefined,
  charges: undefined,
  isValid: undefined,
};

/** A GVC that does not exist. */
export const invented = (list: GvcFacts['list']): readonly GvcFacts[] => [
  { gvc: 'purser-doctor-asks', isWatched: false, list },
];

/** A Redis server that keeps everything. */
export const REDIS_NODE: RedisNodeFacts = {
  version: '7.2.4',
  role: 'master',
  clustered: false,
  clusterState: undefined,
  policy: 'noeviction',
  usedBytes: 10 * 1_048_576,
  maxBytes: 100 * 1_048_576,
  appendOnly: true,
  lastAppend: 'ok',
  canWait: true,
  lastSave: 'ok',
};

const QUIET: WorkFacts = {
  isAlive: true,
  queues: [],
  channels: [],
  overdue: { count: 0, unreadable: [] },
};

/** The work, which is well but for these facts. */
export const ofWork = (facts: Partial<WorkFacts> = {}): Finding[] =>
  judge(workProbes({ ...QUIET, ...facts }));

const CONNECTED: SlackFacts = {
  mode: 'http',
  botToken: 'bot',
  ownToken: 'unknown',
  answer: { bot: true, user: 'purser', team: 'Acme', scopes: undefined },
  way: undefined,
};

/** The finding of this name about Slack, which is well but for these facts. */
export const ofSlack = (what: string, facts: Partial<SlackFacts> = {}): Finding[] =>
  judge(slackProbes({ ...CONNECTED, ...facts })).filter((one) => one.what.startsWith(what));
