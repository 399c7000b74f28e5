import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import type { ReviewService } from '../../../../src/changes/request.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { spoken } from '../../../support/answer.ts';
import { changeOf } from '../../../support/changes.ts';
import { createdToken } from '../../changes/messages/read.ts';
import { createHarness } from './harness.ts';

const KEY = 'svc-bsat-`<&>*_key_*';
const ADA = { person: { userId: 'U0ADA', teamId: 'T0ACME' }, channelId: 'D0ADA' };

async function revealing(change: Change) {
  const fate: string[] = [];
  const secrets = {
    take: async (person: { userId: string }, id: string) => ({
      change,
      secret: new Secret(KEY),
      shown: async () => void fate.push(`shown ${id} to ${person.userId}`),
      lost: async () => void fate.push(`lost ${id}`),
    }),
  };
  const { feature } = await createHarness([], { secrets });
  const revelation = await feature.reveals?.[0]?.take({ ...ADA, value: change.id });
  return { fate, revelation };
}

describe('Reveal', () => {
  it('shows the secret character by character, its purpose, and that this is the only time', async () => {
    const { revelation } = await revealing(createdToken({}));
    const said = JSON.stringify(revelation?.blocks);

    expect(said).toContain(JSON.stringify(KEY).slice(1, -1));
    expect(said).toContain('It is shown this once');
    expect(said).toContain('Name: ci · Roles: `billing_viewer` · Expires: never');
    expect(createBlockChecker().blocks(revelation?.blocks, 'modal')).toEqual([]);
  });

  it('passes on whether it was seen', async () => {
    const { fate, revelation } = await revealing(createdToken({}));

    await revelation?.shown();
    await revelation?.lost();

    expect(fate).toEqual(['shown k3m9x2ab to U0ADA', 'lost k3m9x2ab']);
  });
});

it('Withdraw is the requester’s, and is answered', async () => {
  const asked: string[] = [];
  const withdraw: ReviewService['withdraw'] = async ({ userId }, id) => {
    asked.push(`${userId} ${id}`);
    return changeOf({ state: 'withdrawn' });
  };
  const harness = await createHarness([], { reviews: { withdraw } as ReviewService });

  const answer = await harness.click('U0ADA', 'changes.withdraw', 'k3m9x2ab');
  const window = await harness.feature.modals?.[0]?.load({ ...ADA, value: 'k3m9x2ab' });

  expect(asked).toEqual(['U0ADA k3m9x2ab', 'U0ADA k3m9x2ab']);
  expect(spoken(answer)).toMatch(/^Withdrawn: Set the spend alert/);
  expect(window).toEqual({ title: 'Review a change', blocks: answer.blocks });
});

describe('the audit as a file', () => {
  it('is one JSON object per line, for a billing_admin', async () => {
    const harness = await createHarness([{}, { id: 'second00', order: { kind: 'alert.delete' } }]);

    const answer = await harness.click('U0BEN', 'changes.audit');

    expect(harness.files).toMatchObject([
      { userId: 'U0BEN', filename: 'purser-audit-2026-11-20.ndjson' },
    ]);
    const lines = (harness.files[0]?.content ?? '').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'request', change: 'k3m9x2ab', by: 'U0ADA' },
      { event: 'request', change: 'second00', by: 'U0ADA' },
    ]);
    expect(spoken(answer)).toContain('The audit, 2 lines, is in your messages with Purser');
  });

  it('is for no other person', async () => {
    const harness = await createHarness([{}]);
    await expect(harness.click('U0CY', 'changes.audit')).rejects.toThrow('billing_admin');
    expect(harness.files).toEqual([]);
  });
});

it('the work on changes goes on with one at once, and sweeps regularly', async () => {
  const harness = await createHarness();
  const [advance, sweep] = harness.feature.jobs ?? [];

  await advance?.run({ id: 'k3m9x2ab' });
  await advance?.run({});
  await sweep?.run({});

  expect(harness.reported).toEqual(['advance k3m9x2ab', 'sweep']);
  expect(sweep).toMatchObject({ queue: 'changes', every: 2_000 });
});
