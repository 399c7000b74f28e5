import { createDoctorDoor } from '../../../src/features/doctor/doctor.ts';
import type { Finding } from '../../../src/features/doctor/probe.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { clockProbe, type OtherClock } from '../../../src/features/doctor/clock.ts';
import { redisProbes } from '../../../src/features/doctor/redis.ts';
import { settingsProbes } from '../../../src/features/doctor/settings.ts';
import { pollProbes } from '../../../src/features/doctor/work.ts';
import type { QueueStatus } from '../../../src/jobs/jobs.ts';
import { NO_POLL, type PollStatus } from '../../../src/rollouts/gvc-store.ts';
import type { RedisNodeFacts } from '../../../src/store/server.ts';
import { EVERYTHING_ON, load } from '../../unit/config/environment.ts';
import { judged, ofWork, REDIS_NODE, redisCheck } from '../../unit/features/doctor/support.ts';
import { MINUTE, NOW, refusal, type Area } from '../entry.ts';
import { findings, IN_TIME, type Findings } from './doctor-data.ts';

const judgeRedis = judged(redisProbes);
const judgeClocks = judged(clockProbe);
const judgePolls = judged(pollProbes);
const judgeSettings = judged(settingsProbes);

function closed(id: string, when: string, ownOps: string | undefined) {
  const door = createDoctorDoor(
    {
      access: { requireRole: () => Promise.reject(new Refusal('no role', undefined, 'role')) },
      config: { ownOpsChannel: ownOps },
      slack: { conversations: { members: async () => ({ members: [] }) } },
    } as unknown as Parameters<typeof createDoctorDoor>[0],
    () => Promise.reject(new Error('it was opened')),
  );
  const context = { person: { userId: 'U0ADA', teamId: 'T0ACME' }, channelId: 'C0RANDOM' };
  return refusal(id, when, () => door(context));
}

const MB = 1_048_576;
const CLUSTERED = { ...REDIS_NODE, clustered: true, clusterState: 'ok' };

const redis = (changes: Partial<RedisNodeFacts>, pingMs = 1): readonly Finding[] =>
  judgeRedis({ pingMs, nodes: [{ ...REDIS_NODE, ...changes }] }, false);
const troubles = (all: readonly Finding[]) => all.filter(({ state }) => state !== 'well');

/** Redis is nearly full. */
export const narrowMemory = (): readonly Finding[] => troubles(redis({ usedBytes: 85 * MB }));

const REDIS = (): Finding[] =>
  [
    redis({}, 640),
    redis({ version: '6.0.16' }),
    redis({ role: 'slave' }),
    redis({ clustered: true }),
    redis({ policy: undefined }),
    redis({ policy: 'volatile-ttl', maxBytes: 0 }),
    redis({ policy: 'allkeys-lru' }),
    narrowMemory(),
    redis({ usedBytes: 99 * MB }),
    redis({ appendOnly: undefined }),
    redis({ appendOnly: false }),
    redis({ lastAppend: 'err' }),
    redis({ lastSave: 'err', canWait: false }),
  ].flatMap(troubles);

/** Clocks of Slack, the platform and Redis against Purser's, in seconds; undefined: no answer. */
function clocks(...[slack, platform, own]: (number | undefined)[]): readonly Finding[] {
  const all: readonly (Omit<OtherClock, 'aheadMs'> & { seconds: number | undefined })[] = [
    { name: 'Slack', seconds: slack },
    { name: 'the platform', seconds: platform },
    { name: 'Redis', seconds: own, near: true },
  ];
  return judgeClocks(
    all.flatMap(({ seconds, ...one }) =>
      seconds === undefined ? [] : [{ ...one, aheadMs: seconds * 1_000 }],
    ),
  );
}

const QUEUE: QueueStatus = { queue: 'rollouts', waiting: 0, oldestMs: undefined, failed: 0 };

const WORK = (): Finding[] =>
  [
    ofWork({ isAlive: false }),
    ofWork({
      queues: [
        { ...QUEUE, waiting: 1, oldestMs: 7 * MINUTE },
        { ...QUEUE, queue: 'changes', waiting: 3, oldestMs: 2 * MINUTE },
        { ...QUEUE, queue: 'outbox', failed: 2 },
      ],
    }),
    ofWork({
      channels: [
        { id: 'C0DEPLOYS', messages: 2, heldMs: 30_000 },
        { id: 'C0OPS', messages: 1, heldMs: 0 },
      ],
    }),
    ofWork({ channels: [{ id: 'C0DEPLOYS', messages: 140, heldMs: 0 }] }),
    ofWork({ overdue: { count: 3, unreadable: ['k3m9x2ab', 'p7r4c8de'] } }),
  ].flatMap(troubles);

const BUSY = (): Finding[] =>
  [
    ofWork({ queues: [{ ...QUEUE, waiting: 4, oldestMs: 3_000 }] }),
    ofWork({ queues: [{ ...QUEUE, waiting: 1, oldestMs: 3_000 }] }),
    ofWork({ channels: [{ id: 'C0DEPLOYS', messages: 2, heldMs: 0 }] }),
  ].flatMap((all) => all.filter(({ says }) => says.includes('waiting')));

const polled = (gvc: string, changes: Partial<PollStatus> = {}) => ({
  org: 'acme',
  gvc,
  poll: { ...NO_POLL, at: NOW - 12_000, ...changes },
});

const POLLS = (): readonly Finding[] =>
  judgePolls(
    [
      polled('new', { at: 0 }),
      polled('late', { at: NOW - 3 * MINUTE }),
      polled('lost', { at: NOW - 9 * MINUTE }),
      polled('shop', { failures: 1, error: 'The platform does not answer just now.' }),
      polled('data', { at: 0, failures: 4, error: 'The platform does not answer just now.' }),
      polled('lab', { skipped: 2 }),
      polled('edge'),
    ],
    MINUTE,
    NOW,
  );

const settings = (environment: Record<string, string> = {}): readonly Finding[] =>
  judgeSettings(load({ ...EVERYTHING_ON, USAGE_URL: 'https://usage.example', ...environment }));
const NO_BILLING = { BILLING_URL: '', BILLING_ACCOUNT_ID: '', BILLING_TOKEN: '' };
const TWO_ORGS = { ORG_TOKENS: '{"acme":"acme-key","beta":"beta-key"}' };
/** Charges can be asked for without an account. */
const SINGLE_ORGS = { BILLING_URL: 'https://billing.example', ORG_CHARGES: 'true' };

const SETTINGS = (): Finding[] =>
  [
    settings({ ...NO_BILLING, ORG_ACCESS: 'roles', USAGE_URL: '' }),
    settings({ ...NO_BILLING, ...SINGLE_ORGS }),
    settings({ ...NO_BILLING, ...TWO_ORGS, ORG_ACCESS: '{"acme":"members"}' }),
    settings({ ...TWO_ORGS, ALLOW_SELF_APPROVAL: 'true', LINKS: '', WATCH_PATIENCE: '0.1' }),
    settingsOff(),
  ].flat();

const LOGS = 'https://logs.example/{gvc}/{workload}?from={start}&to={end}';
const VAST = `https://metrics.example/?q=${'{org}/{gvc}/{workload};'.repeat(8)}`;

/** Billing is not set up. */
export const settingsWithoutBilling = (): readonly Finding[] => settings(NO_BILLING);

/** Settings that may be left out. */
export const settingsOff = (): readonly Finding[] =>
  settings({
    SECRET_KEY: '',
    GLOBAL_DOMAIN: '',
    LOCATION_DOMAIN: '',
    INTERNAL_DOMAIN: '',
    APPROVALS: 'off',
    CHANGES: 'off',
  });

/** All findings that are well, of Purser's own work and its environment. */
export const ownWell = (): Findings => ({
  Redis: redis({}),
  Clock: clocks(0.7, -0.4, 0),
  Work: ofWork(),
  Watches: judgePolls([polled('shop'), polled('data')], MINUTE, NOW),
  Settings: settings(),
});

export const doctorOwn: Area = {
  id: 'doctor-own',
  title: 'The doctor: Redis, the clock, the work and the settings',
  entries: [
    findings('redis', 'Everything that can be wrong with Redis.', 'Redis', REDIS),
    findings('redis-cluster', 'A cluster of Redis, of which one node is ill.', 'Redis', () =>
      judgeRedis(
        {
          pingMs: 2,
          nodes: [CLUSTERED, { ...CLUSTERED, policy: 'allkeys-lfu', clusterState: 'fail' }],
        },
        true,
      ),
    ),
    findings('redis-of-no-version', 'Redis does not know its version.', 'Redis', () =>
      redis({ version: undefined }),
    ),
    findings('redis-away', 'Redis does not answer.', 'Redis', () =>
      redisCheck({ ping: () => Promise.reject(new Error()) } as never).run(IN_TIME),
    ),
    closed('doctor-closed', 'A person without the role runs the doctor.', 'C0OPS'),
    closed('doctor-admins-only', 'The same, and OPS_CHANNEL is not set.', undefined),
    findings(
      'clock',
      'Everything that can be wrong with the clocks of Purser and of others.',
      'Clock',
      () =>
        [
          clocks(31, 31, 31),
          clocks(-200, -200, -200),
          clocks(0, 1, 600),
          clocks(0, -90, 0),
          clocks(-200, 300, 0),
          clocks(),
          clocks(20, -20, 0),
        ].flat(),
    ),
    findings('work', 'All problems of Purser’s own work: jobs, messages, changes.', 'Work', WORK),
    findings('work-busy', 'Jobs and messages wait, and none for long.', 'Work', BUSY),
    findings(
      'polls',
      'Everything that can be wrong with how often a watched GVC is read.',
      'Watches',
      POLLS,
    ),
    findings('settings', 'Everything that the settings can switch off.', 'Settings', SETTINGS),
    findings('links', 'Messages have buttons that lead on (LINKS).', 'Settings', () =>
      settings({ LINKS: JSON.stringify({ Logs: LOGS, 'The runbook': 'https://wiki.example' }) }),
    ),
    findings(
      'links-long',
      'One of them is too long for Slack where names are long.',
      'Settings',
      () => settings({ LINKS: JSON.stringify({ Logs: LOGS, 'Everything here': VAST }) }),
    ),
  ],
};
