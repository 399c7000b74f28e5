import { describe, expect, it } from 'vitest';
import {
  channelProbe,
  usedChannels,
  type ChannelStatus,
} from '../../../../src/features/doctor/channels.ts';
import type { SlackFailure } from '../../../../src/features/doctor/slack.ts';
import { judged, lineOf } from './support.ts';

const NOW = 1_700_000_000_000;
const facts = {
  name: 'ops',
  archived: false,
  shared: false,
  member: true,
  unreadable: undefined,
};
const refused = (word: string) => ({ kind: 'refused', word }) as const;

const said = (changes: object | SlackFailure, more: Partial<ChannelStatus> = {}) =>
  judged(channelProbe)(
    {
      id: 'C0OPS',
      uses: ['OPS_CHANNEL'],
      facts: 'kind' in changes ? changes : { ...facts, ...changes },
      refusals: [],
      ...more,
    },
    NOW,
  )
    .map(lineOf)
    .join();

describe('a channel', () => {
  it.each([
    ['is archived', { archived: true }, /^broken #ops .*archived → unarchive it/],
    [
      'has no Purser in it',
      { member: false },
      /^broken #ops .* → type \/invite @Purser in it, or set another one in OPS_CHANNEL/,
    ],
    [
      'cannot be seen',
      refused('channel_not_found'),
      /^broken C0OPS .* → check the id; if it is right, type \/invite/,
    ],
    ['needs a scope', refused('missing_scope'), /^doubtful C0OPS .*channels:read/],
    ['is refused otherwise', refused('team_not_found'), /^broken C0OPS .*\(team_not_found\)/],
    [
      'cannot be read',
      { unreadable: refused('missing_scope') },
      /^doubtful .*come twice → add channels:history/,
    ],
    ['may have no Purser in it', { member: undefined }, /^doubtful .*does not show whether/],
    ['met a slow Slack', { kind: 'away', word: 'ETIMEDOUT' }, /^doubtful .*\(ETIMEDOUT\)/],
    ['met a busy Slack', { kind: 'limited', word: 'ratelimited' }, /^doubtful .*fewer calls/],
  ])('that %s is found', (_, changes, line) => {
    expect(said(changes)).toMatch(line);
  });

  it.each([
    ['BILLING_CHANNEL', /^doubtful #ops .*another company.*held back → set BILLING_CHANNEL/],
    ['APPROVALS_CHANNEL', /^doubtful #ops .*another company.*cards of changes/],
    ['OPS_CHANNEL', /^well/],
  ])('that another company reads is found where it is %s', (use, line) => {
    expect(said({ shared: true }, { uses: [use] })).toMatch(line);
  });

  it('whose posts Slack refuses is broken, also when everything looks well', () => {
    const refusals = [{ error: 'restricted_action', since: NOW - 7_200_000 }];
    expect(said({}, { refusals })).toMatch(
      /^broken .*refused a post 2 h ago \(restricted_action\)/,
    );
    expect(said({ archived: true }, { refusals })).toContain('archived');
  });

  it('names another fix for a watch', () => {
    const of = (use: string) => said({ member: false }, { uses: [use] });
    expect(of('watch acme/shop')).toContain('or end its watches with /deployments unwatch');
    expect(of('WATCHES acme/shop')).toContain('or change WATCHES');
  });

  it('has no name in the answer when it is private: everybody may read that', () => {
    expect(said({ name: undefined })).toMatch(/^well C0OPS \(OPS_CHANNEL\)/);
  });

  it('is listed once, with all its uses', () => {
    const watch = { org: 'acme', gvc: 'shop', quiet: false };
    const channels = usedChannels({ notify: 'C1', ops: 'C2', billing: 'C1' }, [
      { ...watch, channel: 'C2', configured: true },
      { ...watch, channel: 'C3', workload: 'web', configured: false },
    ]);

    expect(channels).toEqual([
      { id: 'C1', uses: ['NOTIFY_CHANNEL', 'BILLING_CHANNEL'] },
      { id: 'C2', uses: ['OPS_CHANNEL', 'WATCHES acme/shop'] },
      { id: 'C3', uses: ['watch acme/shop/web'] },
    ]);
    const uses = Array.from({ length: 9 }, (_, index) => `watch acme/g${index}`);
    expect(said({}, { uses })).toContain('watch acme/g2 and 6 more)');
  });
});
