import { ADMINS } from '../../../src/access/policy.ts';
import { tokenContent } from '../../../src/features/billing/token-watch.ts';
import {
  deliveryContent,
  fallbackNotice,
  type Failure,
} from '../../../src/features/invoices/delivery-watch.ts';
import { START_ACTION, STOP_ACTION } from '../../../src/features/notices.ts';
import { TOPICS, type Topic } from '../../../src/monitors/topics.ts';
import { createStopFeature } from '../../../src/features/stop/feature.ts';
import type { Delivery } from '../../../src/platform/billing/recipients.ts';
import type { Services } from '../../../src/services.ts';
import { answer, direct, post, refusal, type Area } from '../entry.ts';
import { gateOf } from './changes-core-office.ts';
import { ADA, accessOf, clock, forms } from './money-data.ts';
import { invoice } from './money-invoices-data.ts';

const FAILED: Delivery = {
  id: 'd-41',
  recipientEmail: 'old-books@acme.example',
  status: 'permanently_failed',
  attemptCount: 5,
  errorMessages: ['421 4.4.1 timed out', '550 5.1.1 <old-books@acme.example>: user unknown'],
  invoiceId: '7b1e4d52-93c6-4f0a-8d21-6e5a0c9f3b12',
};

const failure = (changes: Partial<Delivery> = {}, number = 12): Failure => ({
  id: FAILED.id,
  delivery: { ...FAILED, ...changes },
  invoice: { value: invoice({ number }) },
});
const OTHER = { recipientEmail: 'cfo@acme.example', attemptCount: 3 };

export const failedDeliveries: Area = {
  id: 'report-deliveries',
  title: 'Notifications: invoice e-mails that failed',
  entries: [
    direct(
      'delivery-failed',
      'An invoice e-mail failed for good; each billing_admin is written to.',
      () => deliveryContent([failure()], forms),
    ),
    direct('delivery-failed-bare', 'The platform omits the reason and the invoice.', () =>
      deliveryContent(
        [failure({ attemptCount: undefined, errorMessages: [], invoiceId: '' })],
        forms,
      ),
    ),
    direct('delivery-failed-several', 'Two e-mails with one invoice failed together.', () =>
      deliveryContent([failure(), failure(OTHER)], forms),
    ),
    direct('delivery-failed-before', 'E-mails had failed before Purser was started.', () =>
      deliveryContent([failure(), failure(OTHER), failure(OTHER, 11)], forms),
    ),
    post('delivery-failed-unheard', 'No billing_admin can be written to.', () => fallbackNotice(1)),
  ],
};

type News = Parameters<typeof tokenContent>[0];
const TOKENS: Readonly<
  Record<string, [when: string, findings: readonly News[number]['finding'][]]>
> = {
  expires: ['A token expires within 14 days.', ['14']],
  'expires-soon': ['A token expires within a day.', ['1']],
  expire: ['Several tokens expire.', ['1', '3', '14', '14']],
  unused: ['A token was not used for 60 days.', ['unused']],
  'unused-several': ['Several tokens were not used for 60 days.', ['unused', 'unused', 'unused']],
  own: ['Purser’s own token expires, and another one.', ['3', '14']],
  both: ['Some expire, and others are unused.', ['3', '14', 'unused', 'unused']],
};

export const tokensReported: Area = {
  id: 'report-tokens',
  title: 'Notifications: tokens',
  entries: Object.entries(TOKENS).map(([id, [when, findings]]) =>
    post(`tokens-report-${id}`, when, () =>
      tokenContent(
        findings.map((finding, place) => ({ id: `t-${place}`, finding })),
        id === 'own' ? 't-0' : undefined,
      ),
    ),
  ),
};

/** **Stop** and **Start again**, of a person who has these roles. */
async function clicked(
  action: string,
  value: string,
  { isStopped = false, access = accessOf('billing_admin') } = {},
) {
  const isOff = action === START_ACTION || isStopped;
  const services = {
    access,
    clock,
    config: { channels: { billing: 'C0BILLING' }, digest: { every: 'daily' } },
    keys: { stops: 'stops', audit: 'audit' },
    redis: { hget: async () => (isOff ? '{}' : null) },
    outbox: { commit: async () => [] },
    wake: async () => undefined,
    logger: { info: () => undefined },
  };
  const { actions = [] } = createStopFeature(services as unknown as Services);
  const route = actions.find(({ actionId }) => actionId === action);
  const given = await route?.run({ person: ADA, channelId: 'C0BILLING', value });
  if (given === undefined) throw new Error(`${action} answers nothing`);
  return given;
}

const VIEWER = gateOf(
  new Map([[ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] }]]),
);
const topics = Object.keys(TOPICS) as Topic[];

export const stops: Area = {
  id: 'report-stops',
  title: 'Notifications: Stop and Start again',
  entries: [
    ...topics.map((topic) =>
      answer(`stop-${topic}`, `A person clicks Stop below ${TOPICS[topic].what}.`, () =>
        clicked(STOP_ACTION, topic),
      ),
    ),
    answer('stop-again', 'It was stopped already.', () =>
      clicked(STOP_ACTION, 'alert', { isStopped: true }),
    ),
    ...topics.map((topic) =>
      answer(`start-${topic}`, 'And Start again after that.', () => clicked(START_ACTION, topic)),
    ),
    refusal('stop-other-version', 'The message is of another version of Purser.', () =>
      clicked(STOP_ACTION, 'weather'),
    ),
    refusal('stop-no-role', `A person without the role ${ADMINS.join(' or ')} clicks Stop.`, () =>
      clicked(STOP_ACTION, 'tokens', { access: VIEWER }),
    ),
  ],
};
