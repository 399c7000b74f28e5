import { grammarOf } from '../../grammar/grammar.ts';
import { coded, missing, twice, typed, unknownWord } from '../../grammar/typed.ts';
import { OUTCOMES, type OutcomeWord } from '../../config/watches.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, type Word } from '../../lib/words.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import {
  readTarget,
  readWidely,
  readWorkloadOf,
  RESOURCE_NAME,
  type Target,
} from '../../platform/deployments/target.ts';
import { readChannel } from '../../slack/directory.ts';

/** Org and channel have defaults, which are applied later. Without a target: all that the channel watches. */
interface OfChannel {
  target: Target | undefined;
  org: string | undefined;
  /** Its id. */
  channel: string | undefined;
}

/** `/deployments …`, parsed (design section 3). */
export type DeploymentsCommand =
  /** Workloads that are not green now. Without an org: of all orgs. */
  | { kind: 'overview'; org: string | undefined }
  | { kind: 'status'; target: Target; org: string | undefined }
  | { kind: 'jobs'; target: Target & { workload: string }; org: string | undefined }
  | (OfChannel & {
      kind: 'watch';
      target: Target;
      only: OutcomeWord[] | undefined;
      quiet: boolean;
      /** A mention as Slack writes it, without its label. */
      notify: string | undefined;
      /** Also of a name that nothing has, and that is nearly another one. */
      sure?: boolean;
    })
  | (OfChannel & { kind: 'unwatch' | 'unmute' })
  /** `forMs` in milliseconds. */
  | (OfChannel & { kind: 'mute'; forMs: number })
  | { kind: 'watches' | 'mutes'; channel: string | undefined };

const OUTCOME_LIST = OUTCOMES.join(', ');
const TIMES = '30m, 8h or 2d';

const ofChannel = (values: { 'GVC[/WORKLOAD]': Target; org: string; in: string }): OfChannel => ({
  target: values['GVC[/WORKLOAD]'],
  org: values.org,
  channel: values.in,
});

/** A GVC named like a subcommand is written `GVC/`. */
export const { help: DEPLOYMENTS_HELP, parse: parseDeployments } = grammarOf<DeploymentsCommand>()({
  command: '/deployments',
  hint: 'GVC[/WORKLOAD[/LOCATION]] | watch GVC [in #CHANNEL] | unwatch [GVC] | watches | mute 8h [GVC] | jobs GVC/WORKLOAD',
  summary: 'Is it deployed? Status by workload and location, and watches that post to a channel.',
  usages: [
    {
      words: '[org NAME]',
      does: 'what is not green now, of all that is watched',
      wish: 'status state healthy failed broken down wrong incident outage alarm deployed',
      to: ({ org }) => ({ kind: 'overview', org }),
    },
    {
      words: 'GVC[/WORKLOAD[/LOCATION]] [org NAME]',
      does: 'state, version, replicas, restarts, and what is wrong',
      wish: 'status ready healthy deployment deployed rollout failed broken crash stale unhealthy down',
      examples: ['/deployments shop/cart', '/deployments shop'],
      to: ({ 'GVC[/WORKLOAD[/LOCATION]]': target, org }) => ({ kind: 'status', target, org }),
    },
    {
      words:
        'watch GVC[/WORKLOAD] [org NAME] [in #CHANNEL] [only OUTCOME[,OUTCOME]] [quiet] [notify @GROUP]',
      does: 'posts a card for each rollout, and how it ends; with only, nothing until one of the named outcomes comes; with quiet, outcomes stay in the card’s thread; with notify, mentions the group on a partial outage or worse',
      wish: 'subscribe notification follow alert news deployment deploy less noise failures alone',
      examples: ['/deployments watch shop only failed'],
      to: ({ only, notify, ...values }, flags) => ({
        kind: 'watch',
        ...ofChannel(values),
        target: values['GVC[/WORKLOAD]'],
        only,
        quiet: flags.has('quiet'),
        notify,
      }),
    },
    {
      words: 'unwatch [GVC[/WORKLOAD]] [org NAME] [in #CHANNEL]',
      does: 'ends watches of this channel, or of the named one',
      wish: 'unsubscribe stop notifications remove',
      to: (values) => ({ kind: 'unwatch', ...ofChannel(values) }),
    },
    {
      words: 'watches [in #CHANNEL]',
      does: 'what the channel watches, and how that goes',
      wish: 'list subscriptions',
      to: ({ in: channel }) => ({ kind: 'watches', channel }),
    },
    {
      words: 'unmute [GVC[/WORKLOAD]] [org NAME] [in #CHANNEL]',
      to: (values) => ({ kind: 'unmute', ...ofChannel(values) }),
    },
    {
      words: 'mute [in #CHANNEL]',
      does: 'what is muted here',
      wish: 'list silence',
      to: ({ in: channel }) => ({ kind: 'mutes', channel }),
    },
    {
      words: 'mute DURATION [GVC[/WORKLOAD]] [org NAME] [in #CHANNEL]',
      does: 'holds messages back and shows them afterwards; without a name, all of this channel',
      wish: 'silence snooze quiet noise notifications pause holiday',
      examples: ['/deployments mute 8h shop/cart'],
      to: ({ DURATION: forMs, ...values }) => ({ kind: 'mute', forMs, ...ofChannel(values) }),
    },
    {
      words: 'mute off [GVC[/WORKLOAD]] [org NAME] [in #CHANNEL]',
      does: 'ends a mute',
      wish: 'unmute resume silence',
      to: (values) => ({ kind: 'unmute', ...ofChannel(values) }),
    },
    {
      words: 'jobs GVC/WORKLOAD[/LOCATION] [org NAME]',
      does: 'the runs of a cron workload, newest first',
      wish: 'job schedule execution failed logs replica removed',
      examples: ['/deployments jobs data/etl'],
      to: ({ 'GVC/WORKLOAD[/LOCATION]': target, org }) => ({ kind: 'jobs', target, org }),
    },
  ],
  readers: {
    'GVC[/WORKLOAD[/LOCATION]]': readTarget,
    'GVC[/WORKLOAD]': readWidely,
    'GVC/WORKLOAD[/LOCATION]': readWorkloadOf,
    DURATION: readTime,
    org: (text: string) => text,
    in: readChannel,
    only: readOutcomes,
    notify: readMention,
  },
  joint: '/',
  samples: {
    org: 'org acme',
    in: 'in #deploys',
    only: 'only failed',
    notify: 'notify @oncall',
  },
  tidy: tidied,
  notes: [`OUTCOME: ${OUTCOME_LIST}`, `DURATION: ${TIMES}`],
});

/** @throws UsageError */
function readMention(text: string): string {
  const mention = /^<(!subteam\^[A-Z0-9]+|@[A-Z0-9]+|!(?:here|channel))(?:\|[^>]*)?>$/.exec(
    text,
  )?.[1];
  if (mention !== undefined) return `<${mention}>`;
  throw new UsageError(
    'Slack did not recognise that group: choose it from the list after typing @.',
  ).withExample('notify @oncall');
}

/** @throws UsageError */
function readOutcomes(text: string): OutcomeWord[] {
  const line = text.toLowerCase();
  const words = line.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) throw missing('OUTCOME', 'only', `: ${OUTCOME_LIST}`);
  const outcomes = words.map((word) => {
    const outcome = OUTCOMES.find((known) => known === word);
    if (outcome !== undefined) return outcome;
    const meant = nearest(word, OUTCOMES);
    const choose = meant === undefined ? `: choose from ${OUTCOME_LIST}` : '';
    const sentence = `${coded(word)} is not an outcome${choose}.`;
    throw new UsageError(sentence, meant && line.replace(word, meant));
  });
  return [...new Set(outcomes)];
}

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS } as const;
const UNIT = '(m|mins?|minutes?|h|hours?|d|days?|w|weeks?)';
const TIME = new RegExp(String.raw`^(\d+)${UNIT}$`, 'i');
const ONLY_UNIT = new RegExp(`^${UNIT}$`, 'i');
const LONGEST_MS = 30 * DAY_MS;

/** The time of a mute, or "off", comes first, wherever it was typed; "8 hours" is one word. @throws UsageError */
function tidied(line: readonly Word[]): readonly Word[] {
  const [first, ...words] = line;
  if (first?.quoted !== false || first.text.toLowerCase() !== 'mute') return line;
  const rest: Word[] = [];
  for (const word of words) {
    const number = rest.at(-1);
    const isTime = !word.quoted && ONLY_UNIT.test(word.text) && /^\d+$/.test(number?.text ?? '');
    if (isTime) rest.splice(-1, 1, { text: `${number?.text}${word.text}`, quoted: false });
    else rest.push(word);
  }
  const isOff = ({ text }: Word): boolean => text.toLowerCase() === 'off';
  const times = rest.filter((word, at) => {
    const isValue = /^(?:org|in)$/i.test(rest[at - 1]?.text ?? '');
    return !word.quoted && !isValue && (TIME.test(word.text) || isOff(word));
  });
  if (times.length === 0) return line;
  const others = rest.filter((word) => !times.includes(word));
  if (times.length === 1) return [first, ...times, ...others];
  const off = times.find(isOff);
  const error = off
    ? new UsageError(
        '`off` ends a mute, so it takes no time.',
        ['/deployments', ...[first, off, ...others].map(typed)].join(' '),
      )
    : twice('DURATION');
  throw error.about('/deployments mute');
}

/** "30m", "8h" or "2 days" in milliseconds. @throws UsageError also below one minute or above 30 days */
function readTime(text: string): number {
  const [, amount, unit = ''] = TIME.exec(text) ?? [];
  if (amount === undefined) throw noTime(text);
  const ms = Number(amount) * UNITS[unit.charAt(0).toLowerCase() as keyof typeof UNITS];
  if (ms >= MINUTE_MS && ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `A mute lasts 1 minute at least and 30 days at most, not ${coded(text)}.`,
    ms > LONGEST_MS ? '30d' : '1m',
  );
}

function noTime(text: string): UsageError {
  if (/^[-+]?\d/.test(text)) {
    // A number alone is read as minutes.
    const meant = /^\d+$/.test(text) ? `${text}m` : undefined;
    return new UsageError(`${coded(text)} is not a time: write ${TIMES}.`, meant);
  }
  if (nearest(text, ['off']) !== undefined) return unknownWord(text, 'off');
  const isPlace = text.split('/').every((part) => RESOURCE_NAME.test(part));
  const error = missing('DURATION', 'mute', `: ${TIMES}`);
  return isPlace ? error.meaning(`8h ${text}`) : error;
}
