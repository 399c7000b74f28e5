import type { Config } from '../config/config.ts';
import { formatDuration, plural, withoutStop } from '../lib/text.ts';
import type { Message, MessageContent } from '../notify/message.ts';
import type { PlatformReason } from '../platform/errors.ts';
import { context, section, sign } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import {
  code,
  joinMrkdwn,
  mentionChannel,
  moment,
  mrkdwn,
  Mrkdwn,
  stepLine,
} from '../slack/kit/text.ts';
import type { Cause } from './cause.ts';
import type { Outage, OutageStep } from './outage.ts';

/** Who reads a message: operators, those who read about money, or the channel of a saved question. */
type Reader = 'ops' | 'billing' | 'other';

/**
 * The messages of an outage, in each of its channels: `down`, edited when it is over, and `up`
 * in its thread. @param now ms since the epoch
 */
export function outageMessages(
  { outage, isOver }: OutageStep['outages'][number],
  { ops, billing }: Config['channels'],
  now: number,
): Message[] {
  const key = `@billing/down/${outage.number}`;
  return [...new Set([ops, ...outage.channels])].flatMap((channel): Message[] => {
    const reader: Reader = channel === billing ? 'billing' : channel === ops ? 'ops' : 'other';
    if (!isOver) {
      return reader === 'other'
        ? [{ channel, key, ...waitingContent(outage, channel) }]
        : [{ channel, key, ...downContent(outage) }];
    }
    const over: Message = { channel, key, editOnly: true, ...overContent(outage, now) };
    if (reader === 'other' || outage.back.length === 0) return [over];
    const up = upContent(outage, reader, billing, now);
    return [
      over,
      {
        channel,
        key: `@billing/up/${outage.number}`,
        threadKey: key,
        broadcast: true,
        ...up,
      },
    ];
  });
}

/** The problem, since when, its consequence, the next step. */
function downContent(outage: Outage): MessageContent {
  const { cause, since } = outage;
  const { now } = titleOf(cause);
  const missing = namesOf(outage, ({ back, place }) => !back.includes(place));
  const { why, todo } = adviceOf(cause);
  const silent = mrkdwn`*Not reported meanwhile*: ${missing}.`;
  const known = why.length === 0 ? [] : [mrkdwn`${joinMrkdwn(why, '. ')}.`];
  return contentOf([
    section(
      joinMrkdwn(
        [
          mrkdwn`${sign('unknown')} *${now}* · since ${moment(since)}`,
          silent,
          ...known,
          stepLine(todo),
          BLIND,
        ],
        '\n',
      ),
    ),
    context(mrkdwn`${footer(cause)}`),
  ]);
}

const BLIND = mrkdwn`Silence does not mean that charges are normal. When Purser can read them again, it posts what changed meanwhile.`;

/** One line for a channel that waits for a saved question; the outage may last for others when it has its answer. */
function waitingContent(
  outage: Outage,
  channel: string,
): MessageContent & Pick<Message, 'editOnly'> {
  const { cause, since } = outage;
  const namesIf = (isBack: boolean): string =>
    namesOf(outage, (one) => one.channel === channel && one.back.includes(one.place) === isBack);
  const own = namesIf(false);
  if (own === '') {
    const line = mrkdwn`*Answered again*: ${namesIf(true)}`;
    return { editOnly: true, ...contentOf([section(mrkdwn`${sign('good')} ${line}`)]) };
  }
  const line = mrkdwn`*Not answered*: ${own}, since ${moment(since)}. ${titleOf(cause).now}; the answer comes when it can be read again`;
  return contentOf([section(mrkdwn`${sign('unknown')} ${line}`)]);
}

/** The same message when it is over. */
function overContent(outage: Outage, now: number): MessageContent {
  const { back, cause, since } = outage;
  const isBack = back.length > 0;
  const { past } = titleOf(cause);
  const lasted = formatDuration(now - since);
  const end = isBack ? `Over after ${lasted}` : `Closed after ${lasted}, and not known to be fixed`;
  const why = isBack ? [] : [mrkdwn`Nothing waits for it now, or it fails for another reason`];
  return contentOf([
    section(
      joinMrkdwn([mrkdwn`${sign(isBack ? 'good' : 'unknown')} *${end}.* ${past}`, ...why], '\n'),
    ),
  ]);
}

/** First lines that are repeated; the others are counted. */
const MOST = 8;

/** The reply that says so, and what changed meanwhile: figures only where money is read. */
function upContent(
  outage: Outage,
  reader: Reader,
  billing: string | undefined,
  now: number,
): MessageContent {
  const { changed, since } = outage;
  const names = namesOf(outage, ({ back, place }) => back.includes(place));
  const head = mrkdwn`*Purser can read money again* after ${formatDuration(now - since)}: ${names}`;
  const rest = changed.length - MOST;
  const news = [
    mrkdwn`What changed meanwhile:`,
    // They were made by the kit.
    ...changed.slice(0, MOST).map((line) => mrkdwn`• ${new Mrkdwn(line)}`),
    ...(rest > 0 ? [mrkdwn`• and ${rest} more`] : []),
  ];
  const elsewhere = billing === undefined ? mrkdwn`` : mrkdwn` in ${mentionChannel(billing)}`;
  const meanwhile =
    changed.length === 0
      ? [mrkdwn`Nothing that is reported changed meanwhile.`]
      : reader === 'billing'
        ? news
        : [mrkdwn`${plural(changed.length, 'message')} followed${elsewhere}.`];
  const all = [mrkdwn`${sign('good')} ${head}`, ...meanwhile];
  return contentOf([section(joinMrkdwn(all, '\n'))]);
}

/** "the spend alert, invoices and 3 saved questions" */
function namesOf(
  { was, back }: Outage,
  counts: (one: { place: string; channel: string | undefined; back: readonly string[] }) => boolean,
): string {
  const all = Object.entries(was).filter(([place, { channel }]) =>
    counts({ place, channel, back }),
  );
  const isSaved = ([place]: (typeof all)[number]) => place.startsWith('report/');
  const saved = all.filter(isSaved);
  const names = all.filter((one) => !isSaved(one)).map(([, { what }]) => what);
  if (saved.length === 1) names.push(saved[0]?.[1].what ?? '');
  if (saved.length > 1) names.push(plural(saved.length, 'saved question'));
  return new Intl.ListFormat('en').format(names);
}

/** The problem, during the outage and after it. */
function titleOf({ kind, reason }: Cause): { now: string; past: string } {
  switch (kind) {
    case 'token':
      return {
        now: 'The platform refuses Purser’s billing token',
        past: 'The platform refused Purser’s billing token',
      };
    case 'key':
      return {
        now: 'The platform refuses one of Purser’s org keys',
        past: 'The platform refused one of Purser’s org keys',
      };
    case 'rights':
      return {
        now: 'Purser cannot read the roles of the people who own schedules',
        past: 'Purser could not read the roles of the people who own schedules',
      };
    case 'readers':
      return {
        now: 'Slack does not show Purser who is in a billing channel',
        past: 'Slack did not show Purser who is in a billing channel',
      };
    case 'purser':
      return { now: 'Purser has an internal error', past: 'Purser had an internal error' };
    case 'platform': {
      const [now, past] = (reason && PLATFORM[reason]) ?? [
        'answers with errors',
        'answered with errors',
      ];
      return {
        now: `The platform’s billing API ${now}`,
        past: `The platform’s billing API ${past}`,
      };
    }
  }
}

const PLATFORM: Partial<Record<PlatformReason, readonly [now: string, past: string]>> = {
  'rate-limited': ['limits Purser’s calls', 'limited Purser’s calls'],
  unreachable: ['does not answer', 'did not answer'],
  timeout: ['does not answer', 'did not answer'],
  unavailable: ['is not available', 'was not available'],
  malformed: ['gives answers that Purser cannot read', 'gave answers that Purser could not read'],
  redirected: ['sends Purser elsewhere', 'sent Purser elsewhere'],
};

/** Why, and what to do. */
function adviceOf({ kind, reason, found }: Cause): { why: readonly Mrkdwn[]; todo: Mrkdwn } {
  const says = found === undefined ? [] : [mrkdwn`Purser says: ${withoutStop(found)}`];
  const ask = 'ask your Purser administrator';
  switch (kind) {
    case 'token':
      return {
        why: [
          mrkdwn`It expired, was deleted, or lost its role; or the account’s id is wrong`,
          ...says,
        ],
        todo: mrkdwn`Have a billing_admin make a new one, and ${ask} to set ${code('BILLING_TOKEN')}; ${code('/purser doctor')} says which it is`,
      };
    case 'key':
      return {
        why: says,
        todo: mrkdwn`Ask your Purser administrator to check ${code('ORG_TOKENS')}; ${code('/purser doctor')} says which key it is`,
      };
    case 'rights':
      return {
        why: says,
        todo: mrkdwn`If this lasts, ${ask} to run ${code('/purser doctor')}: Slack’s scope ${code('users:read.email')} or the list of billing users may be missing`,
      };
    case 'readers':
      return {
        why: says,
        todo: mrkdwn`Invite Purser to that channel with ${code('/invite')}, if it is private; if this lasts, ${ask} to run ${code('/purser doctor')}: a scope of Slack may be missing`,
      };
    case 'purser':
      return {
        why: [mrkdwn`The platform is not at fault`],
        todo: mrkdwn`Ask your Purser administrator to read the error in Purser’s log`,
      };
    case 'platform': {
      if (reason === 'rate-limited') {
        return {
          why: [...says, mrkdwn`Purser waits as long as the platform asks`],
          todo: mrkdwn`If this lasts, ${ask} whether something else uses the same token`,
        };
      }
      const isAnswer =
        reason === 'server-error' || reason === 'unavailable' || reason === 'malformed';
      return {
        why: [...says, mrkdwn`Purser goes on asking`],
        todo: isAnswer
          ? mrkdwn`If this lasts, ${ask} whether the platform has an incident`
          : mrkdwn`If this lasts, ${ask} to check ${code('BILLING_URL')} and the network between`,
      };
    }
  }
}

function footer({ reason, status }: Cause): string {
  const way = status === undefined ? reason : `HTTP ${status}`;
  const said = way === undefined ? '' : ` Noticed by: ${way}.`;
  return `Posted when something about money could not be read three times in a row.${said}`;
}
