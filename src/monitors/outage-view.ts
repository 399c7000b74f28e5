import type { Config } from '../config/config.ts';
import { formatDuration, plural, withoutStop } from '../lib/text.ts';
import type { Message, MessageContent } from '../notify/message.ts';
import {
  INTERNAL_ERROR,
  overLine,
  platformAdvice,
  platformTitles,
  READ_LOG,
  titles,
  type Titles,
} from '../notify/outage-words.ts';
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
import type { Cause, Outage, OutageStep } from './outage.ts';

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
  const { now } = titlesOf(cause);
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
  const line = mrkdwn`*Not answered*: ${own}, since ${moment(since)}. ${titlesOf(cause).now}; the answer comes when it can be read again`;
  return contentOf([section(mrkdwn`${sign('unknown')} ${line}`)]);
}

function overContent(outage: Outage, now: number): MessageContent {
  const { back, cause, since } = outage;
  const isBack = back.length > 0;
  const why = isBack ? [] : [mrkdwn`Nothing waits for it now, or it fails for another reason`];
  const first = overLine(titlesOf(cause).past, isBack, now - since);
  return contentOf([section(joinMrkdwn([first, ...why], '\n'))]);
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

const ROLES = 'read the roles of the people who own schedules';
const READERS = 'show Purser who is in a billing channel';
const TITLES = {
  token: titles('The platform', 'refuses Purser’s billing token', 'refused Purser’s billing token'),
  key: titles(
    'The platform',
    'refuses one of Purser’s org keys',
    'refused one of Purser’s org keys',
  ),
  rights: titles('Purser', `cannot ${ROLES}`, `could not ${ROLES}`),
  readers: titles('Slack', `does not ${READERS}`, `did not ${READERS}`),
  purser: INTERNAL_ERROR,
};

function titlesOf({ kind, reason }: Cause): Titles {
  if (kind !== 'platform') return TITLES[kind];
  const api = 'The platform’s billing API';
  return reason === 'unavailable'
    ? titles(api, 'is not available', 'was not available')
    : platformTitles(api, reason);
}

function adviceOf({ kind, reason, found }: Cause): { why: readonly Mrkdwn[]; todo: Mrkdwn } {
  const says = found === undefined ? [] : [mrkdwn`Purser says: ${withoutStop(found)}`];
  const ask = 'ask your Purser administrator';
  const doctor = code('/purser doctor');
  switch (kind) {
    case 'token':
      return {
        why: [
          mrkdwn`It expired, was deleted, or lost its role; or the account’s id is wrong`,
          ...says,
        ],
        todo: mrkdwn`Have a billing_admin make a new one, and ${ask} to set ${code('BILLING_TOKEN')}; ${doctor} says which it is`,
      };
    case 'key':
      return {
        why: says,
        todo: mrkdwn`Ask your Purser administrator to check ${code('ORG_TOKENS')}; ${doctor} says which key it is`,
      };
    case 'rights':
      return {
        why: says,
        todo: mrkdwn`If this lasts, ${ask} to run ${doctor}: Slack’s scope ${code('users:read.email')} or the list of billing users may be missing`,
      };
    case 'readers':
      return {
        why: says,
        todo: mrkdwn`Invite Purser to that channel with ${code('/invite')}, if it is private; if this lasts, ${ask} to run ${doctor}: a scope of Slack may be missing`,
      };
    case 'purser':
      return { why: [mrkdwn`The platform is not at fault`], todo: READ_LOG };
    case 'platform': {
      const isAnswer =
        reason === 'server-error' || reason === 'unavailable' || reason === 'malformed';
      const sameToken = mrkdwn`whether something else uses the same token`;
      const { known, todo } = platformAdvice({ reason, isAnswer }, sameToken, 'BILLING_URL');
      return { why: [...says, mrkdwn`${known}`], todo };
    }
  }
}

function footer({ reason, status }: Cause): string {
  const way = status === undefined ? reason : `HTTP ${status}`;
  const said = way === undefined ? '' : ` Noticed by: ${way}.`;
  return `Posted when something about money could not be read three times in a row.${said}`;
}
