import type { Finding } from './check.ts';
import { ago, broken, doubtful, listed, well } from './findings.ts';
import type { SlackFailure } from './slack-failure.ts';

/** A channel that Purser posts to, and why: "NOTIFY_CHANNEL", "watch of acme/shop". */
export interface UsedChannel {
  readonly id: string;
  readonly uses: readonly string[];
}

/** What Slack says of a channel. */
export interface ChannelFacts {
  /** Undefined for what has none, and for a private one: everybody reads the answer. */
  readonly name: string | undefined;
  readonly archived: boolean;
  /** Undefined: Slack does not say. */
  readonly member: boolean | undefined;
  /** Why its messages cannot be read; undefined: they can, or it was not tried. */
  readonly unreadable: SlackFailure | undefined;
}

/** A post that Slack refused, and none has succeeded since. */
export interface KeptRefusal {
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface ChannelSight {
  readonly channel: UsedChannel;
  readonly seen: ChannelFacts | SlackFailure;
  readonly refusals: readonly KeptRefusal[];
}

/** @param now milliseconds since the epoch */
export function judgeChannel({ channel, seen, refusals }: ChannelSight, now: number): Finding {
  const what = nameOf(channel, 'kind' in seen ? undefined : seen.name);
  if ('kind' in seen) return unseen(what, seen, channel);
  if (seen.archived) {
    return broken(what, 'it is archived', `unarchive it and invite Purser, ${otherwise(channel)}`);
  }
  if (seen.member === false) {
    return broken(
      what,
      'Purser is not in it, so nothing reaches it',
      `type /invite @Purser in it, ${otherwise(channel)}`,
    );
  }
  const [refusal] = refusals;
  if (refusal !== undefined) {
    return broken(
      what,
      `Slack refused a post ${ago(now - refusal.since)} (${refusal.error}), and took none since`,
      'look whether the channel restricts who may post, and whether the token and the scopes are right',
    );
  }
  if (seen.unreadable !== undefined) return hardToRead(what, seen.unreadable);
  return seen.member === undefined
    ? doubtful(
        what,
        'Slack does not say whether Purser is in it',
        'type /invite @Purser in it, which does no harm if it is',
      )
    : well(what, 'Purser is a member');
}

function unseen(what: string, { kind, word }: SlackFailure, channel: UsedChannel): Finding {
  if (kind === 'limited') {
    return doubtful(
      what,
      'Slack asks for fewer calls just now',
      'run /purser doctor again in a minute',
    );
  }
  if (kind === 'away') {
    return doubtful(what, `Slack did not answer (${word})`, 'run /purser doctor again in a minute');
  }
  if (word === 'channel_not_found' || word === 'not_in_channel') {
    return broken(
      what,
      'there is no such channel, or it is private and Purser is not in it',
      `check the id; if it is right, type /invite @Purser in the channel, ${otherwise(channel)}`,
    );
  }
  if (word === 'missing_scope') {
    return doubtful(
      what,
      'it cannot be looked at without the scopes channels:read and groups:read',
      'add them under OAuth & Permissions and reinstall the app',
    );
  }
  return broken(what, `Slack does not show it (${word})`, `check the id, ${otherwise(channel)}`);
}

function hardToRead(what: string, { kind, word }: SlackFailure): Finding {
  const scopes = word === 'missing_scope';
  return doubtful(
    what,
    `Purser cannot read it (${word}), so after a crash a message may come twice`,
    scopes || kind === 'refused'
      ? 'add channels:history and groups:history under OAuth & Permissions and reinstall the app'
      : 'run /purser doctor again in a minute',
  );
}

/** What else can be done than to let Purser in. */
function otherwise({ uses }: UsedChannel): string {
  const variables = uses.filter((use) => /^[A-Z_]+$/.test(use));
  if (variables.length > 0) return `or set another one in ${listed(variables)}`;
  return uses.some((use) => use.startsWith('WATCHES'))
    ? 'or change WATCHES'
    : 'or end its watches with /deployments unwatch';
}

const MAX_USES = 3;

function nameOf({ id, uses }: UsedChannel, name: string | undefined): string {
  return `${name === undefined ? id : `#${name}`} (${listed(uses, MAX_USES)})`;
}
