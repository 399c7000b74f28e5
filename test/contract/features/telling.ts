import type { Change } from '../../../src/changes/change.ts';
import type { ChangeStore } from '../../../src/changes/store.ts';
import type { JobKind } from '../../../src/jobs/jobs.ts';
import type { Services } from '../../../src/services.ts';
import { servicesOf } from '../../support/reports.ts';
import type { SeenMessage } from '../../support/world.ts';
import { BOT_TOKEN, openHarness, realSender } from '../notify/support.ts';
import { startBilling } from '../platform/billing/support.ts';

export const BILLING = 'C0BILLING';
export const HOUR = 3_600;

/** What one job tells, between the stand-ins of Slack and of the platform; the test says when it looks. */
export async function startTelling(
  redisUrl: string,
  jobsOf: (services: Services & { readonly changes: Pick<ChangeStore, 'open'> }) => JobKind[],
  settings: Record<string, unknown> = {},
) {
  const standing = await startBilling();
  const { redis, keys, outbox, anotherDeliverer, accepted, slackUrl } = await openHarness(redisUrl);
  // A post whose end is not known is another test's: on a busy machine Slack may take its time.
  const deliverer = anotherDeliverer({ sender: () => realSender(slackUrl, BOT_TOKEN, 30_000) });
  const waiting: Change[] = [];
  const { clock } = standing.platform;
  const client = standing.client();
  const jobs = jobsOf({
    ...servicesOf({
      billing: () => client,
      clock,
      config: {
        billing: {},
        billingPollMs: 600_000,
        channels: { billing: BILLING, approvals: 'C0APPROVE' },
        currency: 'USD',
        digest: { every: 'daily', time: { hour: 9, minute: 0 } },
        ...settings,
      },
      keys,
      outbox,
      redis,
      wake: () => Promise.resolve(),
    }),
    changes: { open: () => Promise.resolve(waiting) },
  });
  /** One look of each job, and what it wrote goes out. */
  const look = async () => {
    for (const job of jobs) await job.run({});
    for (const channel of await deliverer.due()) while (await deliverer.deliver(channel));
  };
  /** What the channel was told, in its order: each message as it stands now. */
  const posts = async () => (await accepted(BILLING)).filter(({ deleted }) => !deleted);

  return {
    ...standing,
    redis,
    keys,
    client,
    waiting,
    jobs,
    look,
    posts,
    /** The keys of what the channel was told. */
    told: async () => (await posts()).map(keyOf),
    /** The message of a key as it stands now. @throws where it was not told once */
    post: async (key: string): Promise<SeenMessage> => {
      const [found, ...more] = (await posts()).filter((one) => keyOf(one) === key);
      if (found === undefined || more.length > 0) {
        throw new Error(`${key} was told ${found === undefined ? 0 : more.length + 1} times`);
      }
      return found;
    },
    /** The clock of the stand-in, and of the bot, goes on to this time: "2026-10-16T09:00". */
    at: async (moment: string): Promise<void> => {
      await standing.advance((Date.parse(`${moment}:00Z`) - clock.now()) / 1_000);
    },
  };
}

export type Telling = Awaited<ReturnType<typeof startTelling>>;

function keyOf({ metadata }: SeenMessage): string {
  return metadata?.event_payload.key ?? '';
}

/** The buttons of a message: what is on them, and what they stand for. */
export function buttonsOf({ blocks }: SeenMessage): Record<string, string> {
  const elements = blocks.flatMap(({ type, elements: all }) =>
    type === 'actions' ? (all as { text: { text: string }; value: string }[]) : [],
  );
  return Object.fromEntries(elements.map(({ text, value }) => [text.text, value]));
}

/** All charges are this amount from now on, whatever is asked. */
export const everythingCosts = (bot: Pick<Telling, 'fault'>, total: string, currency = 'USD') =>
  bot.fault({
    path: 'charges/-query',
    body: {
      results: {
        periods: [
          {
            startTime: '2026-10-15T00:00:00Z',
            endTime: '2026-10-16T00:00:00Z',
            groups: [
              {
                key: { org: 'acme' },
                consumptions: [{ tags: { org: 'acme' }, value: 1, total: Number(total), currency }],
              },
            ],
          },
        ],
      },
    },
  });
