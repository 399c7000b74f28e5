import { describe, expect, it } from 'vitest';
import {
  unwatchAnswer,
  watchAddedAnswer,
  watchesAnswer,
  type WatchesView,
} from '../../../../src/features/deployments/watch.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import { buttonsOf, controlOf, spoken, stepOf, tableOf } from '../../../support/answer.ts';
import type { Mute, Watch } from '../../../../src/rollouts/watches.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { statusesOf, headOf } from './harness.ts';

const shop: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: false };
const data: Watch = { ...shop, gvc: 'data', configured: true };
const NOW = 1_000_000;
const poll = { ...NO_POLL, at: NOW - 12_000 };
const here = { channel: 'C0OPS', here: true, defaultOrg: 'acme' };
const alone = {
  replaced: false,
  wider: undefined,
  mute: undefined,
  here: true,
  defaultOrg: 'acme',
};
const mute: Mute = {
  org: 'acme',
  gvc: 'shop',
  channel: 'C0OPS',
  since: NOW,
  until: NOW + 60_000,
  by: 'U0ADA',
};

const shown = ({ blocks }: { blocks: unknown[] }): string => JSON.stringify(blocks);

function list(changes: Partial<WatchesView>) {
  const view = { ...here, outside: false, entries: [], mutes: [], elsewhere: 0, now: NOW };
  return watchesAnswer({ ...view, ...changes });
}

describe('the answers about watches', () => {
  it('name the watch, its channel, and the messages to expect', () => {
    const text = headOf(watchAddedAnswer({ ...shop, only: ['failed'], quiet: true }, alone));

    expect(text).toBe(
      '✅ Watching acme/shop in <#C0OPS> (only failed; outcomes stay in the thread) · only these outcomes are posted. What runs now is not announced.',
    );
    expect(headOf(watchAddedAnswer({ ...shop, notify: '<!subteam^S0ONCALL>' }, alone))).toContain(
      '(<!subteam^S0ONCALL> is notified of a partial outage or worse)',
    );
    const only = ['failed', 'unhealthy', 'crashloop'] as const;
    expect(headOf(watchAddedAnswer({ ...shop, only: [...only] }, alone))).toContain(
      '(only failed, unhealthy or crashloop)',
    );
    expect(headOf(watchAddedAnswer(shop, alone))).toContain('each new rollout gets one card');
    expect(headOf(watchAddedAnswer(shop, { ...alone, replaced: true }))).toContain(
      'Changed the watch',
    );
    expect(headOf(unwatchAnswer({ removed: [], kept: [] }, here))).toContain(
      '/deployments watches',
    );
  });

  it('name the current trouble, as the first poll does', () => {
    const down = { state: 'failed', have: 0, fresh: 0 } as const;
    const ill = statusesOf([
      { workload: 'cart', ...down },
      { workload: 'pay', state: 'stale' },
    ]);

    expect(headOf(watchAddedAnswer(shop, { ...alone, ill }))).toContain(
      'up to date. · 🔴 I start from here: cart Outage (failed), pay no report.',
    );
  });

  it('say when a wider watch of the channel makes the narrowing idle', () => {
    const wider: Watch = { ...shop, configured: true };
    const answer = watchAddedAnswer({ ...shop, only: ['failed'] }, { ...alone, wider });

    expect(headOf(answer)).toBe(
      '✅ Watching acme/shop in <#C0OPS> (only failed), but all outcomes still come: acme/shop is watched in the channel too, set by WATCHES where Purser runs, and only changed there. What runs now is not announced.',
    );
    expect(buttonsOf(answer)).toEqual(['Unwatch']);
  });

  it('end a wider watch that a command made', () => {
    const cart = { ...shop, workload: 'cart' };
    const made = { ...alone, wider: shop };
    const answer = watchAddedAnswer({ ...cart, only: ['failed'] }, made);

    expect(headOf(answer)).toContain('too. End that watch to narrow this one.');
    expect(controlOf(answer, 'Unwatch shop').value).toBe('/deployments unwatch shop');
    expect(headOf(watchAddedAnswer({ ...cart, quiet: true }, made))).toContain(
      '(outcomes stay in the thread), but outcomes still come to the channel: acme/shop is watched',
    );
  });

  it('name the watches that ended, and those that no command can end', () => {
    const kept = [data, { ...data, workload: 'etl' }];
    const answer = unwatchAnswer({ removed: [shop], kept }, here);

    expect(headOf(answer)).toBe('No longer watching acme/shop in <#C0OPS>.');
    expect(shown(answer)).toContain('acme/data, acme/data/etl stay: they are set by WATCHES');
    expect(shown(answer)).toContain('`/deployments mute 8h data` silences one watch for a while');
  });

  it('name the place, org and channel in their suggestions', () => {
    const etl = { ...data, workload: 'etl' };
    const stays = (defaultOrg: string, typedHere: boolean): string =>
      shown(unwatchAnswer({ removed: [], kept: [etl] }, { ...here, defaultOrg, here: typedHere }));
    const ended = unwatchAnswer(
      { removed: [shop], kept: [] },
      { ...here, defaultOrg: 'beta', clicked: 'acme/shop/cart' },
    );

    expect(stays('acme', true)).toContain('`/deployments mute 8h data/etl`');
    expect(stays('beta', false)).toContain(
      '`/deployments mute 8h data/etl org acme`, typed in <#C0OPS>, silences it',
    );
    expect(shown(ended)).toContain('`/deployments watch shop/WORKLOAD org acme` watches');
  });

  it('have a button that ends the watch, also of another org and channel', () => {
    const label = 'Unwatch';
    const elsewhere = { ...alone, here: false, defaultOrg: 'beta' };

    expect(controlOf(watchAddedAnswer(shop, alone), label).value).toBe('/deployments unwatch shop');
    expect(controlOf(watchAddedAnswer(shop, elsewhere), label).value).toBe(
      '/deployments unwatch shop org acme in <#C0OPS>',
    );
  });
});

describe('the list of watches', () => {
  it.each<[Partial<WatchesView>, string]>([
    [{}, 'Nothing is watched in <#C0OPS>.'],
    [
      { entries: [{ watch: shop, poll: { ...poll, failures: 3 } }] },
      'which cannot be read just now',
    ],
    [{ outside: true, entries: [{ watch: shop, poll }] }, 'so nothing reaches it'],
  ])('names a fault of the whole list: %j', (changes, words) => {
    expect(shown(list(changes))).toContain(words);
  });

  it('has a row for each: how reading goes, which outcomes are posted, who made it; those that fail come first', () => {
    const answer = list({
      entries: [
        { watch: { ...shop, by: 'U0ADA' }, poll },
        { watch: data, poll: { ...poll, failures: 3, error: 'HTTP 503' } },
        { watch: { ...shop, gvc: 'new-10', only: ['failed'], quiet: true }, poll: NO_POLL },
        { watch: { ...shop, gvc: 'new-2', notify: '<!here>' }, poll: { ...poll, skipped: 2 } },
      ],
      elsewhere: 2,
    });

    expect(headOf(answer)).toBe(
      'Watched in <#C0OPS>: 4 watches, 1 of them cannot be read just now',
    );
    expect(tableOf(answer).map(([name, read, , by]) => [name, read, by])).toEqual([
      ['Watch', 'Last read', 'Made by'],
      ['acme/data', '12 s ago, 3 tries failed since (HTTP 503)', 'WATCHES'],
      ['acme/new-2', '12 s ago, 2 deployments unreadable', 'a command'],
      ['acme/new-10', 'never', 'a command'],
      ['acme/shop', '12 s ago', '<@U0ADA>'],
    ]);
    expect(spoken(answer)).toContain('posts only failed; in the thread');
    expect(spoken(answer)).toContain('posts all outcomes; @here is notified');
    expect(shown(answer)).toContain('2 more in other channels');
  });

  it('ends a watch by the button of its row, once that is confirmed, also of another channel', () => {
    const entries = [shop, data, { ...shop, org: 'beta' }].map((watch) => ({ watch, poll }));
    const answer = list({ entries });

    expect(stepOf(answer, 'acme/shop')).toMatchObject({
      text: { text: 'Unwatch' },
      value: '/deployments unwatch shop',
      confirm: {
        title: { text: 'End this watch?' },
        text: { text: 'For everyone in the channel.' },
      },
    });
    expect(stepOf(answer, 'beta/shop').value).toBe('/deployments unwatch shop org beta');
    expect(() => stepOf(answer, 'acme/data')).toThrow('has no button');
    expect(stepOf(list({ entries, here: false }), 'acme/shop').value).toBe(
      '/deployments unwatch shop in <#C0OPS>',
    );
  });

  it('shows until when one is muted, and that only a part of one is', () => {
    const entries = [{ watch: shop, poll }];

    expect(tableOf(list({ entries, mutes: [mute] }))[0]).toContain('Muted');
    expect(shown(list({ entries, mutes: [mute] }))).toContain('"timestamp":1060');
    expect(shown(list({ entries, mutes: [{ ...mute, workload: 'cart' }] }))).toContain(
      ':double_vertical_bar: Muted: *acme/shop/cart* until <!date^1060^',
    );
  });

  it("lists a hundred with long names and long errors, within Slack's limits", () => {
    const entries = Array.from({ length: 100 }, (_, index) => ({
      watch: { ...shop, gvc: `gvc-${index}`, workload: 'w'.repeat(40), by: 'U0ADA' },
      poll: { ...poll, failures: 7, error: 'x'.repeat(400) },
    }));

    const answer = list({ entries });

    expect(createBlockChecker().blocks(layOut(answer.blocks, 'id'), 'message')).toEqual([]);
    expect(tableOf(answer)).toHaveLength(101);
  });
});
