import { expect, it } from 'vitest';
import type { Message } from '../../../../src/notify/message.ts';
import { THREAD_ONLY, type OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import { keyOfOutcome } from '../../../../src/rollouts/messages/audience.ts';
import { messagesOf } from '../../../../src/rollouts/messages/publish.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import * as fc from '../../../support/fast-check.ts';
import { anyCrowd, anyScenario } from './any-gvc.ts';
import { PLACE, run, type Step } from './gvc-scenario.ts';

const all: Watch = { ...PLACE, channel: 'C-ALL', quiet: false, configured: true };
/** Too few workloads to hear of a location as such. */
const few: Watch[] = ['a', 'b'].map((workload) => ({ ...all, workload, channel: 'C-FEW' }));

/** What a channel shows in the end: the keys of its messages, each with what it covers. */
function shown(messages: readonly Message[], channel: string): Map<string, Set<string>> {
  const posted = new Map<string, Set<string>>();
  for (const { key, requires, threadKey, covers = [] } of messages.filter(
    (message) => message.channel === channel,
  )) {
    if (!posted.has(key) && requires !== undefined && !posted.has(requires)) continue;
    if (threadKey !== undefined && !posted.has(threadKey)) throw new Error(`${key} has no thread`);
    posted.set(key, new Set([...(posted.get(key) ?? []), ...covers]));
  }
  return posted;
}

/** Keys of all outcomes that the workloads of a channel had, but for those that only go in threads. */
function expected(steps: readonly Step[], channel: string): string[] {
  const rollouts = Object.entries(steps.at(-1)?.after.rollouts ?? {}).filter(
    ([workload]) => channel === all.channel || few.some((watch) => watch.workload === workload),
  );
  return rollouts.flatMap(([workload, { told }]) =>
    Object.entries(told).flatMap(([word, times]) => {
      const [version, kind] = word.split('/') as [string, OutcomeKind | 'card'];
      if (kind === 'card' || THREAD_ONLY.has(kind)) return [];
      return Array.from({ length: times }, (_, index) =>
        keyOfOutcome(PLACE, { workload, version: Number(version), kind, n: index + 1 }),
      );
    }),
  );
}

it('a channel is shown every outcome once, whether or not it hears of locations as such', () => {
  fc.assert(
    fc.property(fc.oneof(anyScenario, anyCrowd), (story) => {
      const steps = run(story);
      const messages = steps.flatMap((step) =>
        messagesOf(PLACE, step, { watches: [all, ...few], mutes: [], now: step.now }),
      );
      for (const channel of [all.channel, 'C-FEW']) {
        const posted = shown(messages, channel);
        const keys = [...posted].flatMap(([key, covers]) => [key, ...covers]);
        const counts = new Map(keys.map((key) => [key, keys.filter((one) => one === key).length]));

        expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
        expect(expected(steps, channel).filter((key) => !counts.has(key))).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
}, 120_000);
