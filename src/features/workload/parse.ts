import { grammarOf } from '../../grammar/grammar.ts';
import { coded, typed, unknownWord } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, type Word } from '../../lib/words.ts';
import { readWidely, readWorkloadOf } from '../../platform/deployments/target.ts';
import type { Amount, RolloutOptions } from './plan.ts';

/** The org has a default, which is applied later. */
interface About {
  target: WorkloadTarget;
  org: string | undefined;
}

export interface WorkloadTarget {
  gvc: string;
  workload: string;
}

/** `/workload …`, parsed (design section 3). */
export type WorkloadCommand =
  | { kind: 'help' }
  | ({ kind: 'addresses'; replicas: number | undefined; port: number | undefined } & About)
  | { kind: 'env' | 'tags'; word: string | undefined }
  | { kind: 'check' }
  | { kind: 'plan'; options: RolloutOptions }
  | ({ kind: 'probe' } & About);

/** More replicas are a typo, not a workload. */
const MAX_REPLICAS = 1_000;

const MAX_PORT = 65_535;

export const { help: WORKLOAD_HELP, parse: parseWorkload } = grammarOf<WorkloadCommand>()({
  command: '/workload',
  hint: 'addresses GVC/WORKLOAD | env [WORD] | tags [WORD] | check | plan replicas=N | probe GVC/WORKLOAD',
  summary: 'Addresses, variables and tags of workloads, rollout plans, and a check of manifests.',
  usages: [
    { words: '', to: () => ({ kind: 'help' }) },
    {
      words: 'addresses GVC/WORKLOAD [replicas=N] [port=N] [org NAME]',
      does: 'every address of a workload, and when to use it',
      wish: 'where answer endpoint url host domain internal replica port dns',
      examples: ['/workload addresses shop/cart'],
      to: ({ 'GVC/WORKLOAD': target, replicas, port, org }) => ({
        kind: 'addresses',
        target,
        replicas,
        port,
        org,
      }),
    },
    {
      words: 'env [WORD]',
      does: 'the variables that every container finds; with a word, what has it in its name or description',
      wish: 'environment built-in token',
      to: ({ WORD: word }) => ({ kind: 'env', word }),
    },
    {
      words: 'tags [WORD]',
      does: 'the special tags, their values and defaults; with a word, what has it in its name or description',
      wish: 'label annotation rate limit authorization deprecated',
      examples: ['/workload tags rateLimit'],
      to: ({ WORD: word }) => ({ kind: 'tags', word }),
    },
    {
      words: 'check',
      does: 'a form for a manifest, in YAML or JSON: what is wrong in it, and how to fix it',
      wish: 'find mistakes configuration configured validate lint spec error',
      examples: ['/workload check'],
      to: () => ({ kind: 'check' }),
    },
    {
      words: 'plan replicas=N [maxSurge=N] [maxUnavailable=N] [minReady=SECONDS] [policy=POLICY]',
      does: 'the batches of a rollout, its shortest duration and its lowest capacity; N may be percent, as 50%; POLICY is OrderedReady or Parallel',
      wish: 'rolling update unavailable duration simulate deploy',
      examples: ['/workload plan replicas=4 maxSurge=50% minReady=30'],
      to: ({ replicas, maxSurge, maxUnavailable, minReady: minReadySeconds, policy }) => ({
        kind: 'plan',
        options: { replicas, maxSurge, maxUnavailable, minReadySeconds, policy },
      }),
    },
    {
      words: 'probe GVC/WORKLOAD [org NAME]',
      does: 'asks the workload which locations and replicas answer; its debug option has to be on',
      wish: 'headers request test reach which',
      examples: ['/workload probe shop/cart'],
      to: ({ 'GVC/WORKLOAD': target, org }) => ({ kind: 'probe', target, org }),
    },
  ],
  readers: {
    'GVC/WORKLOAD': readWorkload,
    WORD: (text: string) => text.trim() || undefined,
    org: (text: string) => text,
    replicas: (text: string) => readCount(text, 'number of replicas', MAX_REPLICAS),
    port: (text: string) => readCount(text, 'port', MAX_PORT),
    maxSurge: readAmount,
    maxUnavailable: readAmount,
    minReady: readSeconds,
    policy: readPolicy,
  },
  long: 'WORD',
  tidy: tidied,
  samples: {
    org: 'org acme',
    port: 'port=8080',
    replicas: 'replicas=4',
    maxSurge: 'maxSurge=50%',
    maxUnavailable: 'maxUnavailable=50%',
    minReady: 'minReady=30',
    policy: 'policy=Parallel',
  },
  // Names from manifests (spec 2.13) that are shorter here.
  spellings: {
    maxsurgereplicas: 'maxsurge',
    surge: 'maxsurge',
    maxunavailablereplicas: 'maxunavailable',
    unavailable: 'maxunavailable',
    minreadyseconds: 'minready',
    scalingpolicy: 'policy',
    replica: 'replicas',
  },
  otherwise(words) {
    const text = words[0]?.text ?? '';
    if (!text.includes('/')) return undefined;
    throw unknownWord(text, ['/workload addresses', ...words.map(typed)].join(' '));
  },
});

/**
 * Accepts what people and phones make of `key=value`: blanks around the sign, `50 %`. Names and values contain no
 * blanks, so all of them can go.
 */
function tidied(line: readonly Word[]): readonly Word[] {
  const [first, ...words] = line;
  if (first === undefined || /^(?:env|tags?)$/i.test(first.text)) return line;
  const rest = words
    .map(({ text }) => text)
    .join(' ')
    .split(/[=＝]/)
    .map((side) => side.trim())
    .join('=')
    .replaceAll(/(?<=\d)\s*(?:[%％﹪]|percent\b|per cent\b)/gi, '%')
    .split(/\s+/)
    .filter((word) => word !== '');
  return [first, ...rest.map((text) => ({ text, quoted: false }))];
}

/** A workload in all its locations. @throws UsageError */
function readWorkload(text: string): WorkloadTarget {
  const { gvc } = readWidely(text);
  return { gvc, workload: readWorkloadOf(text).workload };
}

const POLICIES = ['OrderedReady', 'Parallel'] as const;

function readPolicy(text: string): (typeof POLICIES)[number] {
  const plain = text.replaceAll(/[-_]/g, '').toLowerCase();
  const policy = POLICIES.find((one) => one.toLowerCase() === plain);
  if (policy !== undefined) return policy;
  throw new UsageError(
    `${coded(text)} is not a scaling policy: write OrderedReady or Parallel.`,
    nearest(plain, POLICIES),
  );
}

/** A whole number from 1 on. @throws UsageError */
function readCount(text: string, what: string, max: number): number {
  // The hint of the command, sent unchanged: not a misspelling.
  if (text === 'N') throw new UsageError('Write a number for N.');
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= max) return count;
  throw new UsageError(
    `${coded(text)} is not a ${what}: write 1 to ${max.toLocaleString('en-US')}.`,
  );
}

/** At most 1,000 replicas or percent: more than all replicas has no further effect. @throws UsageError */
function readAmount(text: string): Amount {
  const [, digits, sign] = /^(\d{1,4}|\d{1,4}\.\d{1,3}(?=%))(%?)$/.exec(text) ?? [];
  if (digits !== undefined && Number(digits) <= 1_000) {
    return { value: Number(digits), percent: sign === '%' };
  }
  throw new UsageError(`${coded(text)} cannot be read: write replicas or percent up to 1,000.`);
}

const DAY_SECONDS = 86_400;

/** `30`, `1.5`, `30s` or `2m`; at most a day. @returns seconds @throws UsageError */
function readSeconds(text: string): number {
  const [, digits, unit = ''] =
    /^(\d{1,5}(?:\.\d{1,3})?)(s|sec|secs|seconds?|m|min|mins|minutes?|)$/i.exec(text) ?? [];
  const seconds = Number(digits) * (unit.toLowerCase().startsWith('m') ? 60 : 1);
  if (seconds <= DAY_SECONDS) return seconds;
  const most = DAY_SECONDS.toLocaleString('en-US');
  throw new UsageError(`${coded(text)} cannot be read: write seconds up to ${most}.`);
}
