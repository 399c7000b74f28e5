import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { statusAnswer } from '../../../src/features/deployments/status-view.ts';
import { MEANINGS } from '../../../src/rollouts/messages/words.ts';
import type { DeploymentStatus } from '../../../src/rollouts/engine/status.ts';
import type { Answer } from '../../../src/slack/routes.ts';
import { hostile, runs } from '../slack/hostile.ts';

function status(changes: Partial<DeploymentStatus> = {}): DeploymentStatus {
  return {
    workload: 'cart',
    location: 'aws-us-west-2',
    state: 'ready',
    version: 12,
    processed: 12,
    replicas: { ready: 3, wanted: 3 } as DeploymentStatus['replicas'],
    outgoing: undefined,
    restarts: 0,
    cause: '',
    ...changes,
  };
}

function answer(statuses: readonly DeploymentStatus[], skipped = 0): Answer {
  return statusAnswer({ org: 'acme', target: { gvc: 'shop' }, statuses, skipped });
}

/** Rows of the table without its header. */
function rowsOf({ blocks }: Answer): string[][] {
  const table = blocks.find((block) => block.type === 'table');
  const rows = (table as { rows: { text: string }[][] } | undefined)?.rows ?? [];
  return rows.slice(1).map((row) => row.map(({ text }) => text));
}

function wordsOf({ blocks }: Answer): string {
  return JSON.stringify(blocks.filter((block) => block.type !== 'table'));
}

describe('the status of a GVC', () => {
  it('says in its first line how much is in which state', () => {
    const { text } = answer([status(), status({ location: 'eu' }), status({ state: 'failed' })]);

    expect(text).toBe('*shop* in org acme: :x: 1 failed · :white_check_mark: 2 ready');
  });

  it('has one row for each workload and location, with what is wrong first', () => {
    const built = answer([
      status(),
      status({ workload: 'web', state: 'failed', cause: 'Back-off pulling image', restarts: 4 }),
      status({ workload: 'api', state: 'deploying', processed: 11 }),
      status({ workload: 'new', state: 'unknown', version: 0, processed: 0, replicas: undefined }),
    ]);

    expect(rowsOf(built)).toEqual([
      ['web', 'aws-us-west-2', 'failed', 'v12', '3/3', '4'],
      ['api', 'aws-us-west-2', 'deploying', 'v12 (at v11)', '3/3', '–'],
      ['new', 'aws-us-west-2', 'unknown', '–', '–', '–'],
      ['cart', 'aws-us-west-2', 'ready', 'v12', '3/3', '–'],
    ]);
    expect(wordsOf(built)).toContain(
      ':x: *web* in aws-us-west-2: the image cannot be pulled (`Back-off pulling image`)',
    );
  });

  it.each(['stale', 'failed', 'unhealthy', 'diverged'] as const)(
    'explains %s also where the platform gives no reason',
    (state) => {
      expect(wordsOf(answer([status({ state })]))).toContain(MEANINGS[state]);
    },
  );

  it('leads from a cron workload to its runs', () => {
    expect(wordsOf(answer([status({ state: 'cron' })]))).toContain(
      '`/deployments jobs shop/WORKLOAD`',
    );
    expect(wordsOf(answer([status()]))).not.toContain('jobs');
  });

  it('of a GVC without deployments says so, and why that can be', () => {
    const built = answer([]);

    expect(built.text).toContain('no deployments');
    expect(built.blocks).toHaveLength(1);
  });

  it('does not claim that there is nothing when nothing could be read', () => {
    const built = answer([], 3);

    expect(built.text).not.toContain('no deployments');
    expect(wordsOf(built)).toContain('3 deployments could not be read and are left out');
  });

  it('of 300 deployments shows the worst 60 and says how to see the others', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      status({ workload: `w${index}`, state: index === 299 ? 'failed' : 'ready', cause: 'x' }),
    );

    const built = answer(many);

    expect(rowsOf(built)).toHaveLength(60);
    expect(rowsOf(built)[0]?.[0]).toBe('w299');
    expect(wordsOf(built)).toContain('240 more deployments not shown');
    expect(wordsOf(built)).toContain('`/deployments shop/WORKLOAD`');
  });

  it('lets no name and no message speak for the bot', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (workload, location, cause) => {
        const built = answer([status({ workload, location, cause, state: 'failed' })]);

        expect(wordsOf(built)).not.toMatch(/<[!@#a-z]/i);
        const section = built.blocks.at(-1) as { text: { text: string } };
        expect(section.text.text.split('\n')).toHaveLength(1);
      }),
      { ...runs, numRuns: 500 },
    );
  });
});
