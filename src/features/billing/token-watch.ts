import { z } from 'zod';
import type { JobKind } from '../../jobs/jobs.ts';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import {
  adminChannels,
  type AdminServices,
  createWaitingLine,
  messageTo,
} from '../../monitors/admins.ts';
import type { Monitor } from '../../monitors/monitor.ts';
import { monitorJob, type MonitorServices } from '../../monitors/run.ts';
import { channelOf } from '../../monitors/topics.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import { lines, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';

/** Days before expiry at which a token is reported, nearest first; days without use after which it is. */
const EXPIRY_DAYS = [1, 3, 14] as const;
const UNUSED_DAYS = 60;

/**
 * Monitors the tokens every BILLING_POLL_SECONDS for APPROVALS_CHANNEL, or for each billing admin without it; off
 * without billing.
 */
export function createTokenJobs(services: MonitorServices & AdminServices): JobKind[] {
  const { billing, billingPollMs } = services.config;
  const channel = channelOf('tokens', services.config);
  if (billing === undefined) return [];
  const waits = createWaitingLine(services, 'billing tokens');
  const monitor: Monitor<TokenFacts, TokenMemory> = {
    memory: TokenMemory,
    async read(before = {}) {
      const client = services.billing();
      const { value } = await client.listTokens({ fresh: true });
      const now = services.clock.now();
      const isNews = tokenNews(before, value.items, now).news.length > 0;
      const admins = isNews && channel === undefined ? await adminChannels(services, client) : [];
      // News without any reader is not remembered: it is posted once an admin can be reached.
      if (isNews && channel === undefined && admins.length === 0) return waits();
      return {
        tokens: value.items,
        own: ownToken(value.items, billing.token.reveal()),
        now,
        admins,
      };
    },
    compare(before = {}, { tokens, own, now, admins }) {
      const { memory, news } = tokenNews(before, tokens, now);
      const content = tokenContent(news, own);
      const keys = news.map(({ id, finding }) => `@billing/token/${id}/${finding}`);
      const readers = channel === undefined ? admins : [{ channel }];
      return { memory, messages: readers.flatMap((reader) => messageTo(reader, keys, content)) };
    },
  };
  return [monitorJob(services, 'tokens', billingPollMs, monitor)];
}

interface TokenFacts {
  readonly tokens: readonly BillingToken[];
  /** The id of the token that Purser uses; undefined: the list does not show it. */
  readonly own: string | undefined;
  /** Ms since the epoch. */
  readonly now: number;
  /** Read only for news without a channel. */
  readonly admins: Awaited<ReturnType<typeof adminChannels>>;
}

/** The list has no secrets: a token is Purser's if its id is part of the secret, or if there is no other. Pure. */
export function ownToken(tokens: readonly BillingToken[], secret: string): string | undefined {
  const named = tokens.find(({ id }) => id.length >= MIN_ID && secret.includes(id));
  return (named ?? (tokens.length === 1 ? tokens[0] : undefined))?.id;
}

/** A shorter id can be in a secret by chance; characters. */
const MIN_ID = 8;

/** A step of `EXPIRY_DAYS`, or unused: "14", "unused". */
type Finding = `${(typeof EXPIRY_DAYS)[number]}` | 'unused';

/** Findings of each token at the last run, by its id. */
const TokenMemory = z.record(z.string(), z.array(z.string()));
type TokenMemory = z.infer<typeof TokenMemory>;

interface TokenNews {
  readonly id: string;
  readonly finding: Finding;
}

/**
 * The new findings. A finding that has ceased in between (the token was used, or its expiry postponed) is new again.
 * Pure.
 * @param now ms since the epoch
 */
export function tokenNews(
  before: TokenMemory,
  tokens: readonly BillingToken[],
  now: number,
): { memory: TokenMemory; news: TokenNews[] } {
  const memory: TokenMemory = {};
  const news: TokenNews[] = [];
  for (const token of tokens) {
    const { id } = token;
    const posted = Object.hasOwn(before, id) ? (before[id] ?? []) : [];
    const holding = findingsOf(token, now);
    // Only the nearest step is posted; the wider ones stay in the memory, so they are not posted later.
    const [step] = holding.filter((one) => one !== 'unused');
    const fresh = holding.filter(
      (one) => !posted.includes(one) && (one === 'unused' || one === step),
    );
    news.push(...fresh.map((finding) => ({ id, finding })));
    if (holding.length > 0) memory[id] = holding;
  }
  return { memory, news };
}

/** The nearest step first; none for an expired token. */
function findingsOf({ expiresAt, lastUsedAt, created }: BillingToken, now: number): Finding[] {
  if (expiresAt !== undefined && expiresAt <= now) return [];
  const steps = EXPIRY_DAYS.filter(
    (days) => expiresAt !== undefined && expiresAt - now <= days * DAY_MS,
  ).map((days): Finding => `${days}`);
  // A token that was never used counts from its creation; without both dates nothing is known.
  const last = lastUsedAt ?? created;
  const isUnused = last !== undefined && now - last >= UNUSED_DAYS * DAY_MS;
  return [...steps, ...(isUnused ? ['unused' as const] : [])];
}

/** Counts only: names of tokens are for admins (design section 6). Pure. @param own the id of Purser's own token */
export function tokenContent(news: readonly TokenNews[], own?: string): MessageContent {
  const sign = new Mrkdwn(SIGN.wrong);
  const soonest = news.find(({ id, finding }) => id === own && finding !== 'unused');
  const others = news.filter((one) => one !== soonest);
  const expiring = others.filter(({ finding }) => finding !== 'unused');
  const unused = others.length - expiring.length;
  const texts = [
    ...(soonest === undefined
      ? []
      : [
          mrkdwn`${sign} *Purser’s own billing token expires* within ${daysOf(soonest)}: then Purser can report nothing about money`,
          mrkdwn`→ Make a new one with ${code('/billing tokens create')}, and ask your Purser administrator to set ${code('BILLING_TOKEN')}`,
        ]),
    ...expiryLines(expiring),
    ...(unused === 0
      ? []
      : [
          mrkdwn`${news.length === unused ? sign : '•'} *${plural(unused, 'billing token')} unused* for ${UNUSED_DAYS} days or more, and still valid, so a leaked copy works`,
          mrkdwn`→ Delete unused tokens: ${code('/billing tokens delete')}`,
        ]),
  ];
  return contentOf([
    lines(texts),
    ...noticeEnd('tokens', WHY, [runButton('Details', '/billing tokens')]),
  ]);
}

/** "*3 billing tokens expire*: 1 within a day, 2 within 3 days". */
function expiryLines(expiring: readonly TokenNews[]): Mrkdwn[] {
  const sign = new Mrkdwn(SIGN.wrong);
  const [first, second] = expiring;
  if (first === undefined) return [];
  const counts = EXPIRY_DAYS.flatMap((days) => {
    const own = expiring.filter(({ finding }) => finding === `${days}`);
    return own[0] === undefined ? [] : [`${own.length} within ${daysOf(own[0])}`];
  });
  return [
    second === undefined
      ? mrkdwn`${sign} *A billing token expires* within ${daysOf(first)}: programs that use it stop working then`
      : mrkdwn`${sign} *${expiring.length} billing tokens expire*: ${counts.join(', ')}. Programs that use them stop working then`,
    mrkdwn`→ Make a new one in time: ${code('/billing tokens create')}`,
  ];
}

function daysOf({ finding }: TokenNews): string {
  return finding === '1' ? 'a day' : `${finding} days`;
}

const WHY = mrkdwn`Sent 14, 3 and 1 days before a token expires, and once it is unused for 60 days. Only admins see which: Details.`;
