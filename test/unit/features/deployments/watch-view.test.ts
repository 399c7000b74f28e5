import { expect, it } from 'vitest';
import { watchesAnswer } from '../../../../src/features/deployments/watch.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { tableOf } from '../../../support/answer.ts';

it("lists a hundred watches with long names and long errors, within Slack's limits", () => {
  const entries = Array.from({ length: 100 }, (_, index) => ({
    watch: {
      org: 'acme',
      gvc: `gvc-${index}`,
      workload: 'w'.repeat(40),
      channel: 'C0OPS',
      quiet: false,
      configured: false,
      by: 'U0ADA',
    },
    poll: { ...NO_POLL, at: 1, failures: 7, error: 'x'.repeat(400) },
  }));
  const here = { channel: 'C0OPS', here: true, defaultOrg: 'acme', outside: false };

  const answer = watchesAnswer({ ...here, entries, mutes: [], elsewhere: 0, now: 2 });

  expect(createBlockChecker().blocks(layOut(answer.blocks, 'id'), 'message')).toEqual([]);
  expect(tableOf(answer)).toHaveLength(101);
});
