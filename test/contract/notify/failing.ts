import type { Deliverer } from '../../../src/notify/deliver.ts';
import { CHANNEL } from './support.ts';
import type { Harness } from './support.ts';

/** A deliverer whose workspace answers `internal_error` to one message, or to all, for as long as it is `ill`. */
export function illOn(
  harness: Harness,
  key: string,
  kind: 'post' | 'edit' = 'post',
): { state: { ill: boolean }; deliverer: Deliverer } {
  const state = { ill: true };
  const isIll = (call: string, sent: { key: string }): boolean =>
    state.ill && call === kind && (key === 'all' || sent.key === key);
  const failure = { kind: 'unclear', error: 'internal_error' } as const;
  const deliverer = harness.anotherDeliverer({
    sender: (real) => ({
      ...real,
      post: async (sent, threadTs) => (isIll('post', sent) ? failure : real.post(sent, threadTs)),
      update: async (sent, ts) => (isIll('edit', sent) ? failure : real.update(sent, ts)),
    }),
  });
  return { state, deliverer };
}

/** So many turns, each after the wait that the one before led to. @returns those waits, in seconds */
export async function rounds(
  harness: Harness,
  deliverer: Deliverer,
  count: number,
): Promise<number[]> {
  const waits: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await harness.waitIsOver();
    await deliverer.deliver(CHANNEL);
    waits.push(Math.ceil((await harness.waits()) / 1_000));
  }
  return waits;
}
