import type { Config } from '../../../src/config/config.ts';
import { heldContent, releasedContent } from '../../../src/monitors/held.ts';
import type { Cause, Outage } from '../../../src/monitors/outage.ts';
import { outageMessages } from '../../../src/monitors/outage-view.ts';
import { readersUnread } from '../../../src/slack/audience.ts';
import { post, type Area } from '../entry.ts';
import { at } from './money-data.ts';

const [OPS, BILLING, TEAM] = ['C0OPS', 'C0BILLING', 'C0TEAM'];
const CHANNELS = { ops: OPS, billing: BILLING, notify: 'C0DEPLOYS', approvals: 'C0APPROVE' };
const NOW = at('2026-11-22T11:10:00Z');

const CAUSES: Readonly<Record<string, [when: string, cause: Cause]>> = {
  unreachable: [
    'The platform does not answer.',
    { name: 'platform', kind: 'platform', reason: 'unreachable' },
  ],
  errors: [
    'The platform answers with errors.',
    { name: 'platform', kind: 'platform', reason: 'server-error', status: 500 },
  ],
  malformed: [
    'Its answers cannot be read.',
    {
      name: 'platform',
      kind: 'platform',
      reason: 'malformed',
      status: 200,
      found: 'the answer has no list of invoices',
    },
  ],
  limited: [
    'It limits calls.',
    { name: 'platform', kind: 'platform', reason: 'rate-limited', status: 429 },
  ],
  token: [
    'BILLING_TOKEN is refused everywhere.',
    { name: 'token', kind: 'token', reason: 'unauthorized', status: 401 },
  ],
  key: [
    'A key of an org is refused.',
    { name: 'key', kind: 'key', reason: 'unauthorized', status: 401 },
  ],
  rights: [
    'Slack gives no e-mail addresses.',
    {
      name: 'rights',
      kind: 'rights',
      found: 'Slack gives no e-mail address of the one who scheduled it',
    },
  ],
  readers: [
    'Slack does not show who reads the channel for money.',
    {
      name: 'readers',
      kind: 'readers',
      found: readersUnread('C0BILLING', { unread: 'channel_not_found' }),
    },
  ],
  purser: ['A monitor fails by an error of Purser’s own.', { name: 'purser', kind: 'purser' }],
};

function outage(cause: Cause, more: Partial<Outage> = {}): Outage {
  return {
    number: 3,
    cause,
    since: at('2026-11-22T09:10:00Z'),
    was: {
      digest: { what: 'the digest' },
      alert: { what: 'the spend alert' },
      'report/3': { what: 'saved question 3', channel: TEAM },
      'report/4': { what: 'saved question 4' },
    },
    back: [],
    changed: [],
    channels: [BILLING, TEAM],
    ...more,
  };
}

/** The message of an outage in a channel, by the first part of its key. */
function messageIn(one: Outage, isOver: boolean, channel: string, which = 'down') {
  const channels = CHANNELS as unknown as Config['channels'];
  const all = outageMessages({ outage: one, isOver }, channels, NOW);
  const found = all.find(
    (message) => message.channel === channel && message.key.startsWith(`@billing/${which}/`),
  );
  if (found === undefined) throw new Error(`no ${which} in ${channel}`);
  return { text: found.text, blocks: found.blocks };
}

const [, PLATFORM] = CAUSES['unreachable'] ?? ['', { name: 'purser', kind: 'purser' }];
const CHANGED = [
  '*Spend yesterday (21 November): $63.30*, up 17%',
  '🟠 *77% of the $2,000 alert used; on course for 105%*',
];
const over = (changed: string[]) => {
  const back = ['digest', 'alert', 'report/3', 'report/4'];
  return outage(PLATFORM, { back, changed });
};

export const moneyOutages: Area = {
  id: 'report-outages',
  title: 'Notifications: money that cannot be read',
  entries: [
    ...Object.entries(CAUSES).map(([id, [when, cause]]) =>
      post(`blind-${id}`, when, () => messageIn(outage(cause), false, OPS)),
    ),
    post('figures-held', 'The channel for money was shared with another company.', () =>
      heldContent(BILLING),
    ),
    post('figures-held-over', 'It is the company’s own again: the same message.', () =>
      releasedContent(BILLING, NOW - 86_400_000, NOW),
    ),
    post('blind-waiting', 'In the channel of a saved question, after an hour.', () =>
      messageIn(outage(PLATFORM), false, TEAM),
    ),
    post('blind-answered', 'The same, when its answer came and others still wait.', () =>
      messageIn(outage(PLATFORM, { back: ['report/3'] }), false, TEAM),
    ),
    post('blind-over', 'It is over: the same message.', () =>
      messageIn(over(CHANGED), true, BILLING),
    ),
    post('blind-left', 'The failed checks are no longer monitored.', () =>
      messageIn(outage(PLATFORM), true, OPS),
    ),
    post('blind-up', 'In its thread, where money is read.', () =>
      messageIn(over(CHANGED), true, BILLING, 'up'),
    ),
    post('blind-up-many', 'More changed than one message repeats.', () =>
      messageIn(over(Array.from({ length: 11 }, () => CHANGED[0] ?? '')), true, BILLING, 'up'),
    ),
    post('blind-up-ops', 'In its thread, for operators: no figures.', () =>
      messageIn(over(CHANGED), true, OPS, 'up'),
    ),
    post('blind-up-nothing', 'Nothing changed meanwhile.', () =>
      messageIn(over([]), true, BILLING, 'up'),
    ),
  ],
};
