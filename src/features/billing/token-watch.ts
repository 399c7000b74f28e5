import { z } from 'zod';
import type { JobKind } from '../../jobs/jobs.ts';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import type { Services } from '../../services.ts';
import { lines, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { runTopicMonitor, noticeEnd, runButton } from '../notices.ts';

/** Days before expiry at which a token is reported, nearest first; days without use after which it is. */
const EXPIRY_DAYS = [1, 3, 14] as const;
const UNUSED_DAYS = 60;

type TokenWatchServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
>;

/** Monitors the tokens every BILLING_POLL_SECONDS for APPROVALS_CHANNEL; off without billing. */
export function createTokenJobs(services: TokenWatchServices): JobKind[] {
  const { billing, billingPollMs } = services.config;
  if (billing === undefined) return [];
  return [{ queue: 'billing', name: 'tokens', every: billingPollMs, run: () => check(services) }];
}

/** A step of `EXPIRY_DAYS`, or unused: "14", "unused". */
type Finding = `${(typeof EXPIRY_DAYS)[number]}` | 'unused';

/** Findings of each token at the last run, by its id. */
const TokenMemory = z.record(z.string(), z.array(z.string()));
type TokenMemory = z.infer<typeof TokenMemory>;

async function check(services: TokenWatchServices): Promise<void> {
  await runTopicMonitor(services, 'tokens', TokenMemory, async (before = {}) => {
    const { value } = await services.billing().listTokens({ fresh: true });
    const { memory, news } = tokenNews(before, value.items, services.clock.now());
    const [first, ...others] = news.map(({ id, finding }) => `@billing/token/${id}/${finding}`);
    if (first === undefined) return { memory, messages: [] };
    const channel = services.config.channels.approvals;
    const covers = others.length > 0 ? { covers: others } : {};
    return { memory, messages: [{ channel, key: first, ...covers, ...tokenContent(news) }] };
  });
}

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

/** Counts only: names of tokens are for admins (design section 6). Pure. */
export function tokenContent(news: readonly TokenNews[]): MessageContent {
  const expiring = EXPIRY_DAYS.flatMap((days) => {
    const count = news.filter(({ finding }) => finding === `${days}`).length;
    return count === 0 ? [] : [`${count} within ${days === 1 ? 'a day' : `${days} days`}`];
  });
  const unused = news.filter(({ finding }) => finding === 'unused').length;
  const soon = news.length - unused;
  const sign = new Mrkdwn(SIGN.wrong);
  const texts = [
    ...(soon === 0
      ? []
      : [
          soon === 1
            ? mrkdwn`${sign} *A billing token expires* ${expiring.join('').replace(/^1 /, '')}: programs that use it stop working then`
            : mrkdwn`${sign} *${soon} billing tokens expire*: ${expiring.join(', ')}. Programs that use them stop working then`,
          mrkdwn`→ Make a new one in time: ${code('/billing tokens create')}`,
        ]),
    ...(unused === 0
      ? []
      : [
          mrkdwn`${soon === 0 ? sign : '•'} *${plural(unused, 'billing token')} unused* for ${UNUSED_DAYS} days or more, and still valid: whoever finds ${unused === 1 ? 'it' : 'one'} can use it`,
          mrkdwn`→ Delete what nobody needs: ${code('/billing tokens delete')}`,
        ]),
  ];
  return {
    text: topText(joinMrkdwn(texts, '\n')),
    blocks: [lines(texts), ...noticeEnd('tokens', WHY, [runButton('Details', '/billing tokens')])],
  };
}

const WHY = mrkdwn`Sent 14, 3 and 1 days before a token expires, and once it is unused for 60 days. Only admins see which: Details.`;
