import { formatDuration, plural } from '../../lib/text.ts';
import { atMost } from '../../lib/time.ts';
import { readRefusals } from '../../notify/channels.ts';
import { placeOf, type Watch, type Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isDirect } from '../../slack/directory.ts';
import { isTokenError } from '../../slack/sender.ts';
import { type Check, checkOf, listed, type Probe, probe, RUN_AGAIN } from './probe.ts';
import {
  addScopes,
  slackFailure,
  tokenRefused,
  unansweredBySlack,
  type SlackFailure,
} from './slack.ts';

export interface ChannelStatus {
  readonly id: string;
  /** "NOTIFY_CHANNEL", "watch acme/shop". */
  readonly uses: readonly string[];
  readonly facts: ChannelFacts | SlackFailure;
  /** Refused posts without a later success; ms since the epoch. */
  readonly refusals: readonly { readonly error: string; readonly since: number }[];
}

export interface ChannelFacts {
  /** Undefined without a name, and for a private channel: every member may read the answer. */
  readonly name: string | undefined;
  readonly archived: boolean;
  /** Undefined: absent from Slack’s answer. */
  readonly member: boolean | undefined;
  /** People from another company read it, or are invited to. */
  readonly shared: boolean;
  /** Why its messages cannot be read; undefined: they can, or it was not tried. */
  readonly unreadable: SlackFailure | undefined;
}

type ChannelServices = Pick<Services, 'slack' | 'redis' | 'keys' | 'clock'>;

/** Slack takes about 50 of these calls a minute, and each channel needs two. */
const MAX_CHANNELS = 20;
const AT_ONCE = 5;
const MAX_USES = 3;

/** Every channel that Purser posts to must exist, accept posts and be readable. */
export function createChannelCheck(
  services: ChannelServices & {
    config: { channels: Readonly<Record<string, string | undefined>> };
  },
  watches: Pick<Watches, 'all'>,
): Check {
  async function read(signal: AbortSignal) {
    // A failing Redis has its own finding; the configured channels are checked all the same.
    const [watched, refusals] = await Promise.all([
      watches.all().catch(() => []),
      readRefusals(services).catch(() => []),
    ]);
    const all = usedChannels(services.config.channels, watched);
    const limited = atMost(AT_ONCE);
    const asked = all.slice(0, MAX_CHANNELS).map(({ id, uses }) =>
      limited(async () => {
        if (signal.aborted) return [];
        const facts = await readChannel(services, id);
        return [{ id, uses, facts, refusals: refusals.filter(({ channel }) => channel === id) }];
      }),
    );
    const known: ChannelStatus[] = (await Promise.all(asked)).flat();
    return { known, left: all.length - known.length, isSlow: signal.aborted };
  }
  return checkOf('Channels', read, ({ known, left, isSlow }) => {
    const words = known.map(({ facts }) => ('kind' in facts ? facts.word : ''));
    const refused = words.find(isTokenError);
    // A refused token is one finding, not one for each channel.
    if (refused !== undefined) return [probe('All channels', false, tokenRefused(refused, 'they'))];
    const now = services.clock.now();
    const were = `${plural(left, 'channel')} ${left === 1 ? 'was' : 'were'} not checked`;
    const why = isSlow ? 'is slow' : 'allows few calls';
    const fix = 'type `/deployments watches` in the channel where you miss something';
    const more = { [`? ${were}: Slack ${why} → ${fix}`]: left > 0 };
    return [...known.map((one) => channelProbe(one, now)), probe('More channels', false, more)];
  });
}

/** Each channel once, configured ones first. @param channels ids by setting */
export function usedChannels(
  channels: Readonly<Record<string, string | undefined>>,
  watches: readonly Watch[],
): Pick<ChannelStatus, 'id' | 'uses'>[] {
  const uses = new Map<string, string[]>();
  const add = (id: string, use: string): void => void uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const [name, id] of Object.entries(channels))
    if (id) add(id, `${name.toUpperCase()}_CHANNEL`);
  for (const watch of watches) {
    // A person's own messages with Purser concern that person alone.
    if (isDirect(watch.channel)) continue;
    add(watch.channel, `${watch.configured ? 'WATCHES' : 'watch'} ${placeOf(watch)}`);
  }
  return [...uses].map(([id, all]) => ({ id, uses: all }));
}

async function readChannel(
  { slack }: ChannelServices,
  id: string,
): Promise<ChannelFacts | SlackFailure> {
  try {
    const { channel = {} } = await slack.conversations.info({ channel: id });
    const member = channel.is_im === true ? true : channel.is_member;
    const isOpen = channel.is_private !== true && channel.is_im !== true;
    // After a crash, Purser reads its latest posts.
    const read = () => slack.conversations.history({ channel: id, limit: 1 });
    return {
      name: isOpen ? channel.name : undefined,
      archived: channel.is_archived === true,
      shared: channel.is_ext_shared === true || channel.is_pending_ext_shared === true,
      member,
      unreadable: member === true ? await read().then(() => undefined, slackFailure) : undefined,
    };
  } catch (error) {
    return slackFailure(error);
  }
}

/** Billing figures and amounts of changes stay in the company. */
const SHARED: Readonly<Record<string, string>> = {
  BILLING_CHANNEL: 'digests, the spend alert and invoices are held back',
  APPROVALS_CHANNEL: 'they can read the cards of changes, with their amounts and addresses',
};

/** @param now ms since the epoch */
export function channelProbe({ facts, id, refusals, uses }: ChannelStatus, now: number): Probe {
  const [failure, known] = 'kind' in facts ? [facts] : [undefined, facts];
  const { word = '' } = failure ?? {};
  const instead = otherwise(uses);
  const ofMoney = known?.shared ? uses.filter((one) => Object.hasOwn(SHARED, one)) : [];
  const why = ofMoney.map((use) => SHARED[use]).join(', and ');
  const [{ error, since } = { error: '', since: 0 }] = refusals;
  const { unreadable } = known ?? {};
  const history =
    unreadable?.kind === 'refused'
      ? addScopes('`channels:history` and `groups:history`')
      : RUN_AGAIN;
  return probe(
    `${known?.name === undefined ? id : `#${known.name}`} (${listed(uses, MAX_USES)})`,
    'Purser is a member',
    {
      ...unansweredBySlack(failure),
      [`! there is no such channel, or it is private and Purser is not in it → check the id; if it is right, type \`/invite @Purser\` in the channel, ${instead}`]:
        word === 'channel_not_found' || word === 'not_in_channel',
      [`? it cannot be checked without the scopes channels:read and groups:read → ${addScopes('them')}`]:
        word === 'missing_scope',
      [`! Slack does not show it (${word}) → check the id, ${instead}`]: failure,
      [`! it is archived → unarchive it and type \`/invite @Purser\`, ${instead}`]: known?.archived,
      [`! Purser is not in it, so nothing reaches it → type \`/invite @Purser\` in it, ${instead}`]:
        known?.member === false,
      [`? people from another company read it, or are invited to it: ${why} → set ${listed(ofMoney, MAX_USES)} to a channel of your company alone, or end the sharing`]:
        ofMoney.length > 0,
      [`! Slack refused a post ${formatDuration(now - since)} ago (${error}), and took none since → check the posting permissions of the channel, and that the token and the scopes are right`]:
        refusals.length > 0,
      [`? Purser cannot read it (${unreadable?.word}), so after a crash a message may come twice → ${history}`]:
        unreadable,
      '? Slack does not show whether Purser is in it → type `/invite @Purser` in it, which does no harm if it is there already':
        known?.member === undefined,
    },
  );
}

function otherwise(uses: readonly string[]): string {
  const variables = uses.filter((use) => /^[A-Z_]+$/.test(use));
  if (variables.length > 0) return `or set another one in ${listed(variables)}`;
  return uses.some((use) => use.startsWith('WATCHES'))
    ? 'or change `WATCHES`'
    : 'or end its watches with `/deployments unwatch`';
}
