import { describe, expect, it } from 'vitest';
import {
  unwatchAnswer,
  watchAddedAnswer,
  watchesAnswer,
  type WatchesView,
} from '../../../../src/features/deployments/watch.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import { controlOf } from '../../../support/answer.ts';
import type { Mute, Watch } from '../../../../src/rollouts/watches.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { statusesOf, headOf } from './harness.ts';

const shop: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: false };
const data: Watch = { ...shop, gvc: 'data', configured: true };
const NOW = 1_000_000;
const poll = { ...NO_POLL, at: NOW - 12_000 };
const here = { channel: 'C0OPS', here: true, defaultOrg: 'acme' };
const alone = { replaced: false, wider: undefined, mute: undefined };
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
  it('say what is watched now, where, and what to expect', () => {
    const text = headOf(watchAddedAnswer({ ...shop, only: ['failed'], quiet: true }, alone));

    expect(text).toBe(
      ':eyes: Watching *acme/shop* in <#C0OPS> (only failed; outcomes stay in the thread): only these outcomes are posted. What runs now is not announced.',
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

  it('name what is not green now, as the first poll does', () => {
    const down = { state: 'failed', have: 0, fresh: 0 } as const;
    const ill = statusesOf([
      { workload: 'cart', ...down },
      { workload: 'pay', state: 'stale' },
    ]);

    expect(headOf(watchAddedAnswer(shop, { ...alone, ill }))).toContain(
      'up to date. I start from here: cart Outage (failed), pay no report.',
    );
  });

  it('say when a wider watch of the channel makes the narrowing idle', () => {
    const wider: Watch = { ...shop, configured: true };
    const answer = watchAddedAnswer({ ...shop, only: ['failed'] }, { ...alone, wider });

    expect(answer.blocks.at(-1)).toMatchObject({ type: 'context' });
    expect(shown(answer)).toContain(
      'This holds nothing back: acme/shop (from WATCHES) is watched in the channel too',
    );
  });

  it('say what is no longer watched, and what no command can take away', () => {
    const kept = [data, { ...data, workload: 'etl' }];
    const answer = unwatchAnswer({ removed: [shop], kept }, here);

    expect(headOf(answer)).toBe('No longer watching *acme/shop* in <#C0OPS>.');
    expect(shown(answer)).toContain('acme/data, acme/data/etl stay: they are set by WATCHES');
    expect(shown(answer)).toContain('`/deployments mute 8h data` silences one of them for a while');
  });

  it('name the place, org and channel in what they suggest', () => {
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

  it('begin with the doubt where nothing has the name, and have a button for what was meant', () => {
    const command = '/deployments watch shop/cart in <#C0OPS>';
    const meant = { target: { gvc: 'shop', workload: 'cart' }, command };
    const unlisted = { meant, defaultOrg: 'acme', here: false };
    const answer = watchAddedAnswer({ ...shop, workload: 'crat' }, { ...alone, unlisted });

    expect(headOf(answer)).toBe(
      ':warning: Watching *acme/shop/crat* in <#C0OPS>, but nothing has that name. Did you mean *shop/cart*?',
    );
    expect(shown(answer)).toContain('`/deployments unwatch shop/crat`, typed in <#C0OPS>, ends');
    expect(controlOf(answer, 'Watch shop/cart').value).toBe(command);
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
  ])('says what is wrong with all of it: %j', (changes, words) => {
    expect(shown(list(changes))).toContain(words);
  });

  it('tells of each how reading goes, and who made it', () => {
    const answer = list({
      entries: [
        { watch: { ...shop, by: 'U0ADA' }, poll },
        { watch: data, poll: { ...poll, failures: 3, error: 'HTTP 503' } },
        { watch: { ...shop, gvc: 'new' }, poll: NO_POLL },
        { watch: { ...shop, gvc: 'odd' }, poll: { ...poll, skipped: 2 } },
      ],
      elsewhere: 2,
    });

    expect(headOf(answer)).toBe(
      '*Watched in* <#C0OPS>: 4 places, 1 of them cannot be read just now',
    );
    expect(shown(answer)).toContain('*acme/shop* – read 12 s ago · made by <@U0ADA>');
    expect(shown(answer)).toContain(
      '*acme/data* – :warning: last read 12 s ago, 3 tries failed since: `HTTP 503` · set by WATCHES',
    );
    expect(shown(answer)).toContain('*acme/new* – not read yet');
    expect(shown(answer)).toContain('*acme/odd* – read 12 s ago · 2 deployments unreadable');
    expect(shown(answer)).toContain('2 more in other channels');
  });

  it('tells until when one is muted, and that only a part of one is', () => {
    const entries = [{ watch: shop, poll }];
    const until = '<!date^1060^';

    expect(shown(list({ entries, mutes: [mute] }))).toContain(
      `*acme/shop* – read 12 s ago · :no_bell: until ${until}`,
    );
    expect(shown(list({ entries, mutes: [{ ...mute, workload: 'cart' }] }))).toContain(
      `:no_bell: *acme/shop/cart* until ${until}`,
    );
  });

  it('of forty with long names and long errors has every one behind a button, within what Slack takes', () => {
    const entries = Array.from({ length: 40 }, (_, index) => ({
      watch: { ...shop, gvc: `gvc-${index}`, workload: 'w'.repeat(40), by: 'U0ADA' },
      poll: { ...poll, failures: 7, error: 'x'.repeat(400) },
    }));

    const answer = list({ entries });
    const { rest } = answer;

    expect(createBlockChecker().blocks(layOut(answer, 'id'), 'message')).toEqual([]);
    expect(createBlockChecker().blocks(rest?.blocks ?? [], 'modal')).toEqual([]);
    expect(rest?.button).toBe('All 40 watches');
    for (const { watch } of entries) expect(shown(rest!)).toContain(`*acme/${watch.gvc}/`);
  });

  it('shows the first eight, counts the others and has all behind a button', () => {
    const entries = Array.from({ length: 75 }, (_, index) => ({
      watch: { ...shop, gvc: `gvc-${index}` },
      poll,
    }));

    const answer = list({ entries });

    expect(shown(answer).match(/\*acme\/gvc-/g)).toHaveLength(8);
    expect(shown(answer)).toContain('… and 67 more');
    expect(shown(answer.rest!).match(/\*acme\/gvc-/g)).toHaveLength(75);
  });
});
