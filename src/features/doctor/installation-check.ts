import { rulesFor } from '../../access/policy.ts';
import type { Config } from '../../config/config.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import { linkButtons } from '../../slack/kit/blocks.ts';
import {
  readRedisFacts,
  readRedisTime,
  type RedisFacts,
  type RedisNodeFacts,
} from '../../store/redis.ts';
import {
  broken,
  type Check,
  type CheckServices,
  compact,
  doubtful,
  type Finding,
  listed,
  off,
  well,
} from './doctor-view.ts';

/** Settings of the environment; other checks report the platform's side. */
type Settings = Pick<
  Config,
  | 'api'
  | 'approvals'
  | 'billing'
  | 'brand'
  | 'changesOff'
  | 'links'
  | 'orgAccess'
  | 'orgChargesUrl'
  | 'polling'
  | 'secretKeys'
  | 'usageUrl'
>;

export function createSettingsCheck({ config }: { readonly config: Settings }): Check {
  return { area: 'Settings', run: () => Promise.resolve(judgeSettings(config)) };
}

export function judgeSettings(settings: Settings): readonly Finding[] {
  const { approvals, billing, brand, links, orgChargesUrl, secretKeys, usageUrl } = settings;
  const { globalDomain, locationDomain, internalDomain } = brand;
  const unfilled = (variable: string, domain: string | undefined, without: string) =>
    domain === undefined && off(variable, `it is not set, so /workload cannot fill in ${without}`);
  const findings = compact([
    ...judgeOrgAccess(settings),
    billing === undefined &&
      off(
        'Billing',
        orgChargesUrl === undefined
          ? 'it is not set up, so /charges, /invoices, /alert and /billing answer nothing'
          : 'it is not set up, so /invoices, /alert and /billing answer nothing, and /charges answers for single orgs only',
        'set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN',
      ),
    usageUrl === undefined &&
      off('USAGE_URL', 'it is not set, so /usage answers nothing', 'set USAGE_URL'),
    secretKeys.length === 0 &&
      off(
        'SECRET_KEY',
        'it is not set, so tokens and orgs with a key cannot be created',
        'set it to 32 random bytes: `openssl rand -base64 32`',
      ),
    links.length === 0 &&
      off(
        'LINKS',
        'it is not set, so messages about rollouts have no button to logs or a runbook',
        'set LINKS to their addresses',
      ),
    settings.changesOff &&
      off(
        'Changes',
        'with CHANGES=off Purser takes no request and no approval, and sends nothing',
        'set CHANGES=on, or leave it out',
      ),
    !approvals.required &&
      off('Approvals', 'with APPROVALS=off a change is carried out without a second person'),
    approvals.required &&
      approvals.allowSelf &&
      off('Two people', 'with ALLOW_SELF_APPROVAL=true people may approve their own requests'),
    unfilled('GLOBAL_DOMAIN', globalDomain, 'global addresses, and cannot probe'),
    unfilled('LOCATION_DOMAIN', locationDomain, 'addresses of one location and one replica'),
    unfilled('INTERNAL_DOMAIN', internalDomain, 'addresses within the platform'),
  ]);
  const switches = findings.length === 0 ? [well('Settings', 'everything is on')] : findings;
  return [...switches, ...judgePatience(settings.polling.patience), ...judgeLinks(links)];
}

/** `ORG_ACCESS` */
function judgeOrgAccess({ api, billing, orgAccess }: Settings): readonly (Finding | false)[] {
  const orgs = [...api.credentials.keys()];
  const ruled = orgs.filter((org) => rulesFor(orgAccess, org, orgs)[0]?.kind === 'roles');
  const shut =
    ruled.length === orgs.length
      ? 'it is `roles`, but without billing nobody has a role, so nobody may ask about an org'
      : `without billing roles are unknown, so every question about ${listed(ruled)} is refused`;
  return [
    billing === undefined &&
      ruled.length > 0 &&
      broken(
        'ORG_ACCESS',
        shut,
        'set ORG_ACCESS=members or the id of a user group, or set up billing',
      ),
    orgAccess.kind === 'members' &&
      orgs.length > 1 &&
      doubtful(
        'ORG_ACCESS',
        `it is \`members\`, so every member of the workspace sees all ${orgs.length} orgs`,
        'set it to a rule for each org: `{"my-org":"roles"}`',
      ),
  ];
}

const MIN_PATIENCE = 0.5;

/** `WATCH_PATIENCE` */
function judgePatience(patience: number): readonly Finding[] {
  if (patience >= MIN_PATIENCE) return [];
  const says = `it is ${patience}, so the watch calls people for trouble that passes by itself`;
  return [doubtful('WATCH_PATIENCE', says, 'set it to 1, or leave it out')];
}

/** The longest names that a message can have. */
const LONGEST = 'x'.repeat(128);
const SAMPLE = {
  org: LONGEST,
  gvc: LONGEST,
  workload: LONGEST,
  location: LONGEST,
  version: 123_456,
  start: 0,
  end: 0,
};

/** `LINKS`: each must become a button, whatever is filled in. The addresses are not called. */
function judgeLinks(links: Config['links']): readonly Finding[] {
  const lost = links.filter((link) => linkButtons([link], SAMPLE).length === 0);
  const fine = links.filter((link) => !lost.includes(link)).map(({ name }) => name);
  const says = 'with long names its address is longer than Slack takes, so the button is left out';
  return compact([
    fine.length > 0 && well('LINKS', `${plural(fine.length, 'button')}: ${listed(fine)}`),
    ...lost.map(({ name }) => doubtful(`Link ${name}`, says, 'shorten its address in `LINKS`')),
  ]);
}

const SLOW_MS = 250;
/** Shares of maxmemory: memory is low, and writes are about to fail. */
const NARROW = 0.8;
const FULL = 0.97;
const MB = 1_048_576;

const FIX = {
  away: 'check REDIS_URL, its password, and that Redis runs',
  slow: 'move Redis closer to Purser, and look for what slows it: `SLOWLOG GET`',
  version: 'use Redis 6.2 or newer, or Valkey',
  replica: 'name the primary in REDIS_URL, or the sentinels in REDIS_SENTINELS',
  alone: 'name two or more nodes in REDIS_URL, divided by commas, or set REDIS_CLUSTER=true',
  cluster: 'repair the cluster: `redis-cli --cluster check`',
  policy:
    '`CONFIG SET maxmemory-policy noeviction`, and the same in `redis.conf` or in the settings of the service',
  memory: 'give Redis more memory (`maxmemory`): when it is full, it takes no writes',
  append:
    '`CONFIG SET appendonly yes`, and `appendonly yes` with `appendfsync everysec` in `redis.conf`',
  wait: 'allow that user `WAIT` and `WAITAOF`',
  disk: 'read the log of Redis, and check that its disk has room and its folder can be written',
};

/** All of Purser's state is in Redis: it must answer, evict nothing, and survive a restart. */
export function createRedisCheck(services: CheckServices<'redis' | 'stopwatch', 'redis'>): Check {
  const { redis, stopwatch, config } = services;
  return {
    area: 'Redis',
    run: () =>
      readRedisFacts(redis, () => stopwatch.elapsed()).then(
        (facts) => judgeRedis(facts, config.redis.cluster),
        () => [broken('Redis', 'it does not answer', FIX.away)],
      ),
  };
}

/** @param cluster REDIS_URL names several nodes, or REDIS_CLUSTER is true */
export function judgeRedis({ pingMs, nodes }: RedisFacts, cluster: boolean): readonly Finding[] {
  const ms = Math.max(1, Math.round(pingMs));
  const version = nodes[0]?.version ?? 'version unknown';
  const kind = cluster ? `, cluster of ${plural(nodes.length, 'node')}` : '';
  return [
    ms <= SLOW_MS
      ? well('Server', `${version}${kind}, answers in ${ms} ms`)
      : doubtful('Server', `it takes ${ms} ms to answer`, FIX.slow),
    ...nodes.flatMap((node, index) => {
      const suffix = nodes.length > 1 ? `, node ${index + 1} of ${nodes.length}` : '';
      return judgeNode(node, cluster).map((one) => ({ ...one, what: `${one.what}${suffix}` }));
    }),
  ];
}

function judgeNode(node: RedisNodeFacts, cluster: boolean): Finding[] {
  const { version = '', role, lastSave = 'ok' } = node;
  const [, major = Infinity, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isOld = major < 6 || (major === 6 && minor < 2);
  const unsaved = `the last one failed (${lastSave}): by default Redis takes no writes then`;
  return compact([
    isOld && broken('Version', `it is ${version}, which is too old`, FIX.version),
    role === 'slave'
      ? broken('Role', 'it is a replica, which takes no writes', FIX.replica)
      : judgeCluster(node, cluster),
    judgeEviction(node),
    judgeMemory(node),
    judgeAppending(node),
    lastSave !== 'ok' && broken('Snapshot', unsaved, FIX.disk),
    node.canWait === false && doubtful('Replicas', NO_WAIT, FIX.wait),
  ]);
}

const NO_WAIT =
  'the user of REDIS_URL may not use WAIT, so a fail-over in the middle of a change can carry it out twice';

function judgeCluster({ clustered, clusterState = 'ok' }: RedisNodeFacts, cluster: boolean) {
  if (clustered !== true) return undefined;
  if (!cluster)
    return broken(
      'Cluster',
      'it is a node of a cluster, but REDIS_URL names no other node and REDIS_CLUSTER is not true',
      FIX.alone,
    );
  return clusterState !== 'ok' && broken('Cluster', `its state is ${clusterState}`, FIX.cluster);
}

function judgeEviction({ policy, maxBytes }: RedisNodeFacts): Finding {
  const what = 'maxmemory-policy';
  if (policy === undefined) return notReported(what, 'it has to be `noeviction`');
  if (policy === 'noeviction') return well(what, policy);
  // Without a limit Redis never considers its memory full.
  if (maxBytes === 0)
    return doubtful(
      what,
      `it is ${policy}: with a maxmemory, Redis would throw keys away`,
      FIX.policy,
    );
  const says = `it is ${policy}: Redis throws keys away when it is full, and with them watches, messages and changes`;
  return broken(what, says, FIX.policy);
}

function judgeMemory({ usedBytes, maxBytes = 0 }: RedisNodeFacts): Finding | undefined {
  if (usedBytes === undefined || maxBytes === 0) return undefined;
  const share = usedBytes / maxBytes;
  const says = `${Math.round(share * 100)} % of ${Math.round(maxBytes / MB)} MB in use`;
  if (share <= NARROW) return well('Memory', says);
  return (share >= FULL ? broken : doubtful)('Memory', says, FIX.memory);
}

function judgeAppending({ appendOnly, lastAppend = 'ok' }: RedisNodeFacts): Finding {
  const what = 'Append-only file';
  if (appendOnly === undefined) return notReported(what, '`appendonly` has to be `yes`');
  const gone = 'a restart of Redis loses what was written last, watches and changes included';
  if (!appendOnly) return doubtful(what, `AOF is off: ${gone}`, FIX.append);
  if (lastAppend === 'ok') return well(what, 'AOF is on');
  return broken(what, `AOF is on, but its last write failed (${lastAppend})`, FIX.disk);
}

function notReported(what: string, rule: string): Finding {
  const says = 'Redis does not say: the user of REDIS_URL may not ask';
  return doubtful(what, says, `allow that user \`INFO\`, or check it yourself: ${rule}`);
}

export interface OtherClock {
  readonly name: string;
  /** Its time minus ours, in milliseconds. */
  readonly aheadMs: number;
  /** It may run on the same machine as Purser, and agree for that reason. */
  readonly near?: boolean;
}

const DOUBTFUL_MS = 30_000;
const BROKEN_MS = 120_000;
const WHAT = 'Clock';

/** A clock that does not answer is left out. */
export function createClockCheck({
  bareHttp,
  redis,
  clock,
  config: { slack, api },
}: CheckServices<'bareHttp' | 'redis' | 'clock', 'slack' | 'api'>): Check {
  /** Uses our time in the middle of the call, when the other clock was read. */
  async function compared(name: string, read: () => Promise<number | undefined>, near = false) {
    const began = clock.now();
    const theirs = await read().catch(() => undefined);
    if (theirs === undefined) return [];
    return [{ name, aheadMs: Math.round(theirs - (began + clock.now()) / 2), near }];
  }

  return {
    area: WHAT,
    async run(signal) {
      // Every response has a Date header, whatever its status.
      const dateOf = async (url: string) => (await bareHttp.get(url, { signal })).date;
      const others = await Promise.all([
        compared('Slack', () => dateOf(`${slack.apiUrl}api.test`)),
        compared('the platform', () => dateOf(api.url)),
        compared('Redis', () => readRedisTime(redis), true),
      ]);
      return judgeClocks(others.flat());
    },
  };
}

/** Slack's signatures are valid for 5 minutes. A single clock that disagrees with all others is itself wrong. */
export function judgeClocks(others: readonly OtherClock[]): readonly Finding[] {
  if (others.length === 0)
    return [off(WHAT, 'no other clock answered, so it could not be compared')];
  const most = Math.max(...others.map(({ aheadMs }) => Math.abs(aheadMs)));
  const far = others.filter(({ aheadMs }) => Math.abs(aheadMs) > DOUBTFUL_MS);
  const [first] = far;
  if (first === undefined) {
    const closeness = most < 2_000 ? 'to about a second' : `to within ${formatDuration(most)}`;
    return [well(WHAT, `agrees with ${named(others)} ${closeness}`)];
  }
  const isBacked = others.some((one) => !far.includes(one) && (one.near !== true || first.near));
  if (far.length === 1 && isBacked) {
    const says = `it is ${apart(first.aheadMs, 'ahead of')} all others`;
    const fix = 'let NTP set that clock; Purser’s own agrees with the others';
    return [doubtful(`Clock of ${first.name}`, says, fix)];
  }
  const aheads = far.map(({ aheadMs }) => aheadMs).toSorted((a, b) => a - b);
  const middle = aheads[Math.floor(far.length / 2)] ?? 0;
  const isScattered = Math.max(...aheads) - Math.min(...aheads) > DOUBTFUL_MS;
  const each = far.map(({ name, aheadMs }) => `${name} is ${apart(aheadMs, 'ahead')}`);
  const ours = `Purser’s is ${apart(-middle, 'ahead of')} ${named(far)}`;
  const says = isScattered
    ? `no two agree, seen from Purser: ${each.join(', ')}`
    : `${ours}; at 5 min Purser refuses every request of Slack’s`;
  const fix = 'let NTP set the clock of Purser’s machine: `timedatectl set-ntp true`';
  const isBroken = (isScattered ? most : Math.abs(middle)) > BROKEN_MS;
  return [(isBroken ? broken : doubtful)(WHAT, says, fix)];
}

function apart(aheadMs: number, ahead: string): string {
  return `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? ahead : 'behind'}`;
}

function named(clocks: readonly OtherClock[]): string {
  return listed(clocks.map(({ name }) => name));
}
