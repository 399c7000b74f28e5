import { plural } from '../../lib/text.ts';
import type { Container } from '../../platform/deployments/deployment.ts';
import type { Facts } from './facts.ts';

/** A cause that people know under a name. */
interface KnownCause {
  pattern: RegExp;
  /** Its common name; the platform's own words are quoted beside it. */
  words: string;
  /** The next step, as an order; of several workloads with "their" and "each". */
  next: string | ((its: string, it: string, org: string | undefined) => string);
  /** Going back to the version before helps as little. */
  keepsAll?: true;
  /** It does not pass by itself: a person has to act before the rollout goes on. */
  fatal?: true;
}

const OUT_OF_MEMORY_WORDS = 'out of memory';

/** The usual causes; the first that fits counts. */
const CAUSES: readonly KnownCause[] = [
  {
    pattern: /OOMKilled|out of memory|exceeded its memory limit/i,
    words: OUT_OF_MEMORY_WORDS,
    next: (its) => `raise ${its} memory limit`,
  },
  {
    pattern: /exec format error/i,
    words: 'wrong CPU architecture',
    next: 'build the image for this location’s processors',
    fatal: true,
  },
  {
    pattern: /liveness probe failed/i,
    words: 'the liveness check fails',
    next: (its, it) => `look in ${its} logs for why ${it} stopped answering`,
  },
  {
    pattern: /startup probe failed/i,
    words: 'the start-up check fails',
    next: (its, it) => `look in ${its} logs for why ${it} does not start, or give ${it} more time`,
  },
  {
    pattern: /probe failed/i,
    words: 'the readiness check fails',
    next: (its, it) => `look in ${its} logs for why ${it} is not ready`,
  },
  {
    pattern:
      /\bpull\w*\b[^;"]{0,100}(?:"[^"]{1,200}")?[^;"]{0,200}(does not answer|timed out|timeout|connection refused|no such host|unreachable)/i,
    words: 'the image registry does not answer',
    next: 'check the registry (the image is probably fine)',
    fatal: true,
  },
  {
    // "Pulling image" alone is what every start says.
    pattern:
      /ErrImage|ImagePull|\b(failed|failure|error|cannot|could not|unable)( to| in| while)? pull(ing)?\b|back-?off pulling|\bnot be pulled\b|image pull (failed|denied)|pull access denied|\bimage "[^"]{1,200}" not found|invalid ?image|manifest unknown/i,
    words: 'the image cannot be pulled',
    next: 'check the image’s name, its tag and the pull secret',
    fatal: true,
  },
  {
    pattern:
      /\bsecrets?\b[^;:]{1,200}\b(no longer exists?|not found|(is|are) missing|do(es)? not exist)|\bmissing secrets?\b/i,
    words: 'a secret is missing',
    next: 'create or restore the secret. It recovers on its own a few minutes after the secret is back',
    keepsAll: true,
    fatal: true,
  },
  {
    pattern:
      /\bexceed(s|ed|ing) quota|\bquotas?\b[^;:]{1,80}\b(exceeded|reached|used up|exhausted)/i,
    words: 'a quota is used up',
    next: (_its, _it, org) =>
      `free some of the quota, or ask for more with /billing quotas request${org === undefined ? '' : ` org ${org}`}`,
    keepsAll: true,
    fatal: true,
  },
  {
    pattern: /CreateContainerConfigError|CreateContainerError/,
    words: 'a container setting is wrong',
    next: (its) => `correct ${its} variables, secrets or volumes`,
  },
  {
    pattern: /executable file not found|no such file or directory/i,
    words: 'the command of a container is not in its image',
    next: 'correct the command, or the image',
  },
  {
    pattern: /CrashLoop|back-?off\b.*\brestarting|\brestart(s|ed)\b|\b1 restart\b/i,
    words: 'a container keeps stopping',
    next: (its, it) => `look in ${its} logs for why ${it} stops`,
  },
  {
    pattern: /unschedulable|insufficient (cpu|memory)|nodes are available/i,
    words: 'not enough cluster capacity',
    next: 'ask for less cpu or memory, or wait for room',
  },
  {
    pattern: /FailedMount|FailedAttachVolume|unable to (attach|mount)/i,
    words: 'a volume cannot be mounted',
    next: 'check the volume and what else uses it',
  },
  {
    pattern: /not converging|did not converge/i,
    words: 'the location is not converging on the expected version',
    next: 'wait some minutes, then ask your Purser administrator',
  },
  {
    pattern: /\bDNS records?\b|\bwaiting for DNS\b/i,
    words: 'its DNS records are not ready',
    next: (its) => `check ${its} domain if this lasts: ${its} address may lead nowhere`,
    keepsAll: true,
  },
  {
    pattern: /deadline exceeded|ProgressDeadlineExceeded/i,
    words: 'it did not come up in the time allowed',
    next: (its) => `look in ${its} logs for what takes so long`,
  },
];

export function plainCause(cause: string): string {
  return knownCause(cause)?.words ?? '';
}

const LIMIT = /\blimit(?: of)? (\d{1,9}) ?(MiB|Mi)\b/i;

/** The last change, which may be undone, and for how many the step is. */
export interface Fallback {
  /** Undoes the last change, as an order; absent: nothing older is known, or it is too long ago. */
  back?: string;
  /** Users are hurt meanwhile, so that it is the first thing to do. */
  urgent?: boolean;
  several?: boolean;
  /** For a command that would else be of the default org. */
  org?: string;
}

/** The next step for a cause, as an order; every cause has one. */
export function nextStepFor(cause: string, { back, urgent, several, org }: Fallback = {}): string {
  const known = knownCause(cause);
  const limit = known?.words === OUT_OF_MEMORY_WORDS ? LIMIT.exec(cause)?.[1] : undefined;
  const usual = known?.next ?? ((its: string) => `look in ${its} logs`);
  const [its, it] = several === true ? ['their', 'each'] : ['its', 'it'];
  const own = typeof usual === 'string' ? usual : usual(its, it, org);
  const next = limit === undefined ? own : `raise memory above ${limit} MiB`;
  if (back === undefined || known?.keepsAll === true) return next;
  return urgent === true ? `${back}, or ${next}` : `${next}, or ${back}`;
}

/** Our own sentence of how a container stopped, in its parts: see `restartSentence`. */
const RESTARTS =
  /^container (?<container>\S+): (?<times>\d+ restarts?|restarted)(?: \((?<details>[^()]{0,300})\))?$/;

/** "payments, 8 restarts, limit 512 MiB" of a sentence about restarts; undefined for any other text. */
export function restartsInShort(cause: string): string | undefined {
  const { container, times, details = '' } = RESTARTS.exec(cause)?.groups ?? {};
  if (container === undefined || times === undefined) return undefined;
  // The limit matters where it was the cause, and the exit code where it was not.
  const omitted = details.includes(OUT_OF_MEMORY)
    ? /^(?:OOMKilled|exit code \d+|)$/
    : /^(?:Error|memory limit .*|)$/;
  const shown = details.split(', ').filter((one) => !omitted.test(one));
  return [container, times, ...shown.map((one) => one.replace(/^memory /, ''))].join(', ');
}

function knownCause(cause: string): KnownCause | undefined {
  return CAUSES.find(({ pattern }) => pattern.test(cause));
}

/** Whether a rollout cannot go on by itself: design section 4.4. */
export function isFatal(cause: string): boolean {
  return knownCause(cause)?.fatal === true;
}

/** Restarts by container, of those that have any. Names are foreign, so this is no object. */
export type Counts = readonly (readonly [container: string, count: number])[];

/** Of the same container in several zones the restarts are added. */
export function countsOf({ entry }: Facts): Counts {
  const counts = new Map<string, number>();
  for (const { name, restarts } of entry?.containers ?? []) {
    if (!restarts?.count) continue;
    counts.set(name, (counts.get(name) ?? 0) + restarts.count);
  }
  return [...counts];
}

/** By how much the restarts of each container rose since the poll before. */
export function risen(now: Counts, before: Counts): Counts {
  const was = new Map(before);
  return now
    .map(([name, count]) => [name, count - (was.get(name) ?? 0)] as const)
    .filter(([, by]) => by > 0);
}

/**
 * Why a location is not ready (design section 4.1, "Explanation"); '' without one.
 * @param since a restart explains only if it is later than this, or in `just`; milliseconds since the epoch
 * @param just restarts since the poll before
 */
export function explanationOf(facts: Facts, since: number, just: Counts): string {
  const own = (facts.entry?.messages ?? []).filter(explains);
  const all = own.length > 0 ? own : (facts.entry?.containerMessages ?? []).filter(explains);
  const said = all.join('; ') || (explains(facts.message) ? facts.message : '');
  const restart = newRestart(facts, since, just);
  // Out of memory is the cause, and "back-off restarting" beside it only a consequence.
  const isConsequence = FOLLOWS_RESTARTS.test(said) && restart.includes(OUT_OF_MEMORY);
  return said === '' || isConsequence ? restart : said;
}

const OUT_OF_MEMORY = 'OOMKilled';
const FOLLOWS_RESTARTS = /OOMKilled|out of memory|back-?off|restart/i;

/** The restart with the largest rise, else the latest one; '' without a new one. The exit code is no signal. */
function newRestart({ entry }: Facts, since: number, just: Counts): string {
  const by = new Map(just);
  const isNew = ({ name, restarts }: Container): boolean =>
    by.has(name) || (restarts?.lastRestartTime ?? 0) > since;
  const [worst] = (entry?.containers ?? [])
    .filter((container) => container.restarts !== undefined && isNew(container))
    .toSorted(
      (a, b) =>
        (by.get(b.name) ?? 0) - (by.get(a.name) ?? 0) ||
        (b.restarts?.lastRestartTime ?? 0) - (a.restarts?.lastRestartTime ?? 0),
    );
  return worst === undefined ? '' : restartSentence(worst);
}

function restartSentence({ name, restarts, memory }: Container): string {
  const { count = 0, reason = '', exitCode } = restarts ?? {};
  const details = [
    reason,
    exitCode === undefined ? '' : `exit code ${exitCode}`,
    memory === undefined ? '' : `memory limit ${memory} MiB`,
  ].filter((detail) => detail !== '');
  const times = count === 0 ? 'restarted' : plural(count, 'restart');
  return `container ${name}: ${times}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

const INITIALIZING_WORDS = new Set(
  'replica replicas s is are still initializing initialising of'.split(' '),
);

/** Whether a message says more than that replicas are initializing. */
function explains(message: string): boolean {
  const words = message.toLowerCase().match(/\p{L}+/gu);
  return words === null ? message !== '' : words.some((word) => !INITIALIZING_WORDS.has(word));
}

export function statusMessage({ message }: Pick<Facts, 'message'>): string {
  return explains(message) ? message : '';
}
