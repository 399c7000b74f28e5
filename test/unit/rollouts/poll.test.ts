import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPollQueue } from '../../../src/rollouts/poll.ts';

/** Polls that run until they are ended, and the ticks that were asked for again. */
function office() {
  const running = new Map<string, () => void>();
  const again: string[] = [];
  const begun: string[] = [];
  const poll = createPollQueue(
    (org, gvc) => {
      begun.push(`${org}/${gvc}`);
      return new Promise<void>((resolve) => {
        running.set(`${org}/${gvc}`, resolve);
      });
    },
    async (org, gvc) => void again.push(`${org}/${gvc}`),
  );
  return {
    poll,
    begun,
    again,
    running,
    async end(this: void, place: string) {
      running.get(place)?.();
      running.delete(place);
      // The effects of the end of a poll come in the turns of the loop that follow.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    },
  };
}

const GVCS = Array.from({ length: 40 }, (_, index) => `gvc-${index}`);

describe('polls of an org that hangs', () => {
  it('take a share of the places, and those beyond end at once', async () => {
    const { poll, running } = office();

    const ticks = GVCS.map((gvc) => poll('acme', gvc));
    await Promise.all(ticks.slice(12));

    expect(running.size).toBe(12);
    void poll('beta', 'shop');
    expect(running.has('beta/shop')).toBe(true);
  });

  it('keep their share however slow they are, so that its failures are soon known', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { poll, running, end } = office();
    for (const gvc of GVCS.slice(0, 12)) void poll('acme', gvc);
    await vi.advanceTimersByTimeAsync(40_000);
    for (const gvc of GVCS.slice(0, 12)) await end(`acme/${gvc}`);

    for (const gvc of GVCS) void poll('acme', gvc);

    expect(running.size).toBe(12);
  });

  it('that had no turn have the next ones, each once and in their order', async () => {
    const { poll, again, end } = office();
    for (const gvc of GVCS.slice(0, 16)) void poll('acme', gvc);
    void poll('acme', 'gvc-13');

    for (const gvc of GVCS.slice(0, 6)) await end(`acme/${gvc}`);

    expect(again).toEqual([12, 13, 14, 15].map((index) => `acme/gvc-${index}`));
  });
});
