import type { Message } from '../../notify/message.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import { section, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ApiNotice, ApiState } from '../watch/operators.ts';
import type { WatchedGvc } from '../watches.ts';
import { bold, headline, short } from './parts.ts';

/** A message to operators about the lists of one GVC. */
export function apiMessage(
  place: WatchedGvc,
  notice: ApiNotice,
  now: number,
): Omit<Message, 'channel'> {
  const { org, gvc } = place;
  const { what, n, over } = notice;
  const line = lineOf(place, notice, now);
  const isUnread = what === 'unreadable' && over !== true;
  const content = contentOf([section(isUnread ? mrkdwn`${line}\n${unreadStep(notice)}` : line)]);
  const key = `${org}/${gvc}/@api/${what}/${n}`;
  return { key, ...content, ...(over === true ? { editOnly: true } : {}) };
}

function unreadStep({ records }: ApiNotice): Mrkdwn {
  const step = mrkdwn`→ If this lasts, ask your Purser administrator to look for the reason in Purser’s log`;
  return mrkdwn`You get no alerts for ${records === 1 ? 'it' : 'them'}.\n${step}`;
}

/** The last edits of open messages about a GVC that is no longer watched. */
export function unwatchedMessages(
  { org, gvc }: WatchedGvc,
  api: ApiState | undefined,
): Omit<Message, 'channel'>[] {
  if (api === undefined) return [];
  const { unreadable, slow } = api;
  const open = [
    ...(unreadable.since === undefined ? [] : [`unreadable/${unreadable.n}`]),
    ...(slow.posted === true ? [`slow/${slow.n}`] : []),
  ];
  const words = mrkdwn`${bold(short(gvc))} in ${short(org)} is no longer watched`;
  return open.map((name) => {
    const key = `${org}/${gvc}/@api/${name}`;
    return { key, editOnly: true, ...contentOf([section(headline(SIGN.over, [words]))]) };
  });
}

function lineOf(
  { org, gvc }: WatchedGvc,
  { what, over, since, records }: ApiNotice,
  now: number,
): Mrkdwn {
  const name = mrkdwn`${bold(short(gvc))} in ${short(org)}`;
  const took = formatDuration(now - since);
  if (over === true) {
    const words = what === 'slow' ? 'is read in time again' : 'can be read in full again';
    return headline(SIGN.good, [mrkdwn`${name} ${words} after ${took}`]);
  }
  const keeps = records === 1 ? 'it keeps its' : 'they keep their';
  const words =
    what === 'slow'
      ? mrkdwn`${name} has been read too seldom for ${took}: alerts may be late`
      : records === 0
        ? mrkdwn`The list of ${name} is suddenly empty: its workloads keep their last state`
        : mrkdwn`${plural(records, 'record')} of ${name} cannot be read: ${keeps} last state`;
  return headline(SIGN.wrong, [words]);
}
