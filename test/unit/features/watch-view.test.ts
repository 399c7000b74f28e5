import { describe, expect, it } from 'vitest';
import {
  unwatchAnswer,
  watchAddedAnswer,
  watchesAnswer,
} from '../../../src/features/deployments/watch-view.ts';
import { NO_PULSE } from '../../../src/rollouts/gvc-store.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';

const shop: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: false };
const data: Watch = { ...shop, gvc: 'data', configured: true };
const NOW = 1_000_000;

const shown = ({ blocks }: { blocks: unknown[] }): string => JSON.stringify(blocks);

describe('the answers about watches', () => {
  it('say what is watched now, where, and what to expect', () => {
    const { text } = watchAddedAnswer({ ...shop, only: ['failed'], quiet: true }, false, undefined);

    expect(text).toContain(':eyes: Watching *acme/shop* in <#C0OPS>, only failed, quiet.');
    expect(text).toContain('taken as known');
  });

  it('say that a watch was changed when there was one', () => {
    expect(watchAddedAnswer(shop, true, undefined).text).toContain(
      'Changed the watch of *acme/shop*',
    );
  });

  it('say when a wider watch of the channel makes the narrowing idle', () => {
    const wider: Watch = { ...shop, configured: true };
    const answer = watchAddedAnswer({ ...shop, only: ['failed'] }, false, wider);

    expect(answer.blocks.at(-1)).toMatchObject({ type: 'context' });
    expect(shown(answer)).toContain(
      'This holds nothing back: acme/shop (from WATCHES) is watched in the channel too',
    );
  });

  it('say what is no longer watched, and what no command can take away', () => {
    const answer = unwatchAnswer([shop], [data, { ...data, workload: 'etl' }], 'C0OPS');

    expect(answer.text).toBe('No longer watching *acme/shop* in <#C0OPS>.');
    expect(shown(answer)).toContain('acme/data, acme/data/etl stay: they are set by WATCHES');
  });

  it('say how to see the watches when there was none to end', () => {
    expect(unwatchAnswer([], [], 'C0OPS').text).toContain('`/deployments watches`');
  });

  it('tell of each watch how reading goes', () => {
    const pulse = { ...NO_PULSE, at: NOW - 12_000 };
    const answer = watchesAnswer(
      'C0OPS',
      [
        { watch: shop, pulse },
        { watch: data, pulse: { ...pulse, failures: 3, error: 'HTTP 503' } },
        { watch: { ...shop, gvc: 'new' }, pulse: NO_PULSE },
      ],
      2,
      NOW,
    );

    expect(shown(answer)).toContain('*acme/shop* – read 12 s ago');
    expect(shown(answer)).toContain(
      '*acme/data* (from WATCHES) – :warning: last read 12 s ago, 3 failed since: `HTTP 503`',
    );
    expect(shown(answer)).toContain('*acme/new* – not read yet');
    expect(shown(answer)).toContain('2 more in other channels');
  });

  it('say how to begin where nothing is watched', () => {
    expect(watchesAnswer('C0OPS', [], 0, NOW).text).toBe(
      'Nothing is watched in <#C0OPS>. Start with `/deployments watch GVC`.',
    );
  });
});
