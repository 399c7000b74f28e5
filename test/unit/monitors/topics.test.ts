import { expect, it } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { channelOf, isMonitored, TOPICS, type Topic } from '../../../src/monitors/topics.ts';

const [NOTIFY, APPROVALS, BILLING] = ['C0DEPLOYS', 'C0APPROVE', 'C0BILLING'];

/** Where each topic is posted; null: to admins alone. */
function placesOf(approvals: string, billing: string | undefined) {
  const config = {
    channels: { notify: NOTIFY, approvals, billing, ops: NOTIFY },
    digest: { every: 'daily' },
  } as unknown as Config;
  const topics = Object.keys(TOPICS) as Topic[];
  return Object.fromEntries(
    topics
      .filter((topic) => isMonitored(topic, config))
      .map((topic) => [topic, channelOf(topic, config) ?? null]),
  );
}

it('money has its own channels, and without APPROVALS_CHANNEL tokens and failed e-mails are for the admins alone', () => {
  const figures = { digest: BILLING, alert: BILLING, invoices: BILLING };
  expect(placesOf(APPROVALS, BILLING)).toEqual({
    ...figures,
    tokens: APPROVALS,
    deliveries: BILLING,
  });
  expect(placesOf(NOTIFY, BILLING)).toEqual({ ...figures, tokens: null, deliveries: null });
  expect(placesOf(NOTIFY, undefined)).toEqual({ tokens: null, deliveries: null });
});

it('figures are what the company alone reads', () => {
  const figures = Object.entries(TOPICS).filter(([, { hasFigures }]) => hasFigures);
  expect(figures.map(([topic]) => topic)).toEqual(['digest', 'alert', 'invoices']);
});
