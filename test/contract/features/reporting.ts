import type { Change } from '../../../src/changes/change.ts';
import type { ChangeStore } from '../../../src/changes/store.ts';
import type { JobKind } from '../../../src/jobs/jobs.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { Services } from '../../../src/services.ts';
import type { Stopwatch } from '../../../src/lib/time.ts';
import { createAudiences } from '../../../src/slack/audience.ts';
import { createSlackClient } from '../../../src/slack/client.ts';
import { createPeople } from '../../../src/slack/directory.ts';
import { post } from '../../support/http.ts';
import { servicesOf } from '../../support/reports.ts';
import type { SeenMessage } from '../../support/world.ts';
import { BOT_TOKEN, openHarness, realSender, silentLogger } from '../notify/support.ts';
import { ADMIN, startBilling, type Identity } from '../platform/billing/support.ts';

export const BILLING = 'C0BILLING';
export const OPS = 'C0OPS';
export const HOUR = 3_600;

/** Jobs between the stand-ins of Slack and of the platform; the test decides when they run. */
export async function startReporting(
  redisUrl: string,
  jobsOf: (
    services: Services & { readonly changes: Pick<ChangeStore, 'open' | 'lastSent'> },
  ) => JobKind[],
  settings: Record<string, unknown> = {},
  identity: Identity = {},
) {
  const standing = await startBilling();
  const { redis, keys, outbox, anotherDeliverer, accepted, slackUrl } = await openHarness(redisUrl);
  const slack = createSlackClient(new Secret(BOT_TOKEN), `${slackUrl}/api/`, silentLogger);
  // A post whose end is not known is another test's: on a busy machine Slack may take its time.
  const deliverer = anotherDeliverer({ sender: () => realSender(slackUrl, BOT_TOKEN, 30_000) });
  const waiting: Change[] = [];
  const sent: Change[] = [];
  const { clock } = standing.platform;
  const client = standing.client(identity);
  const jobs = jobsOf({
    ...servicesOf({
      audience: createAudiences(slack, createPeople(slack, forgetful()), forgetful()),
      billing: () => client,
      clock,
      slack,
      config: {
        billing: { token: { reveal: () => identity.token ?? ADMIN } },
        billingPollMs: 600_000,
        channels: { notify: 'C0DEPLOYS', billing: BILLING, approvals: 'C0APPROVE', ops: OPS },
        currency: 'USD',
        digest: { every: 'daily', time: { hour: 9, minute: 0 } },
        ...settings,
      },
      keys,
      outbox,
      redis,
      wake: () => Promise.resolve(),
    }),
    changes: { open: () => Promise.resolve(waiting), lastSent: () => Promise.resolve(sent) },
  });
  /** Waiting messages go out. */
  const deliver = async () => {
    for (const channel of await deliverer.due()) while (await deliverer.deliver(channel));
  };
  /** Runs each job once and delivers its messages. */
  const look = async () => {
    for (const job of jobs) await job.run({});
    await deliver();
  };
  /** Messages in the channel, in order, with their current content. */
  const posts = async (channel = BILLING) =>
    (await accepted(channel)).filter(({ deleted }) => !deleted);

  return {
    ...standing,
    redis,
    keys,
    client,
    /** Changes the workspace as its people do. */
    workspace: (path: string, body: object) => post(`${slackUrl}/_sandbox/${path}`, body),
    waiting,
    /** The changes that Purser sent last. */
    sent,
    jobs,
    deliver,
    look,
    posts,
    /** The keys of the messages in the channel. */
    reported: async (channel = BILLING) => (await posts(channel)).map(keyOf),
    /** The current message of a key. @throws when it was not posted exactly once */
    post: async (key: string, channel = BILLING): Promise<SeenMessage> => {
      const [found, ...more] = (await posts(channel)).filter((one) => keyOf(one) === key);
      if (found === undefined || more.length > 0) {
        throw new Error(`${key} was posted ${found === undefined ? 0 : more.length + 1} times`);
      }
      return found;
    },
    /** The clock of the stand-in, and of the bot, goes on to this time: "2026-10-16T09:00". */
    at: async (moment: string): Promise<void> => {
      await standing.advance((Date.parse(`${moment}:00Z`) - clock.now()) / 1_000);
    },
  };
}

/** Nothing is remembered: it is another day at each question. */
function forgetful(): Stopwatch {
  let now = 0;
  return { elapsed: () => (now += 86_400_000) };
}

export type Reporting = Awaited<ReturnType<typeof startReporting>>;

/** Without the moment when a question was saved. */
function keyOf({ metadata }: SeenMessage): string {
  return (metadata?.event_payload.key ?? '').replace(/^(@billing\/report\/\d+)-\w+/, '$1');
}

/** The buttons of a message: their text and their value. */
export function buttonsOf({ blocks }: SeenMessage): Record<string, string> {
  const elements = blocks.flatMap(({ type, elements: all }) =>
    type === 'actions' ? (all as { type: string; text: { text: string }; value: string }[]) : [],
  );
  const buttons = elements.filter(({ type }) => type === 'button');
  return Object.fromEntries(buttons.map(({ text, value }) => [text.text, value]));
}

/** All charges are this amount from now on, whatever is asked. @param also other faults */
export const everythingCosts = (
  bot: Pick<Reporting, 'fault'>,
  total: string,
  currency = 'USD',
  ...also: object[]
) => bot.fault(costing(total, currency), ...also);

/** The fault of such an answer. @param unreadable rows beside that of the amount */
export const costing = (total: string, currency = 'USD', unreadable: readonly object[] = []) => ({
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
              consumptions: [
                { tags: { org: 'acme' }, value: 1, total: Number(total), currency },
                ...unreadable,
              ],
            },
          ],
        },
      ],
    },
  },
});
