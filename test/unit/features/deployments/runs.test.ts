import { describe, expect, it } from 'vitest';
import {
  executionsAnswer,
  runModal,
} from '../../../../src/features/deployments/executions-view.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { modalBlocks } from '../../../../src/slack/replies/reply.ts';
import * as fc from '../../../support/fast-check.ts';
import { cron, deployment, MINUTE, NOON, type Json } from '../../rollouts/platform-json.ts';
import { hostile, runs } from '../../slack/hostile.ts';
import { createDeployments, noneMay } from './harness.ts';

const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

/** A run that failed half an hour ago, with everything that the platform can know of one. */
const FAILED: Json = {
  name: 'etl-29341',
  replica: 'etl-29341-x7q0',
  status: 'failed',
  workloadVersion: 7,
  startTime: at(-30),
  completionTime: at(-27),
  conditions: [
    {
      type: 'Failed',
      status: 'True',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached its limit',
      lastDetectionTime: at(-26),
      lastTransitionTime: at(-27),
    },
  ],
  containers: {
    main: {
      name: 'main',
      image: 'registry.example.com/etl:v7',
      ready: false,
      message: 'exited',
      resources: { replicas: 1, replicasReady: 0, cpu: 250, memory: 512 },
      restarts: { count: 2, exitCode: 137, reason: 'OOMKilled' },
    },
  },
  message: 'Container main exited with code 1; ; Job failed ;',
};

/** The text of the modal that "Runs" opens. */
async function open(
  byLocation: Record<string, Json>,
  value = 'acme/data/etl/oslo@etl-29341',
  over = {},
) {
  const deployments = Object.entries(byLocation).map(([location, status]) =>
    deployment(status, { workload: 'etl', location }),
  );
  const modal = await createDeployments({ deployments, over }).open(value, 'deployments.run');
  if (modal === undefined) throw new Error('Nothing opens');
  return modal;
}

const saysOf = ({ blocks }: { blocks: readonly unknown[] }): string =>
  JSON.stringify(blocks).replaceAll(/<!date\^\d+\^[^|]*\|[^ ]* ([^ ]*) UTC>/g, '$1');

describe('the runs of a cron workload, one by one', () => {
  it('say all that the platform reports one: status, times, messages, conditions, containers, logs', async () => {
    const said = saysOf(await open({ oslo: cron(7, { jobExecutions: [FAILED] }) }));
    for (const part of [
      '*data/etl/oslo* in org acme',
      ':large_orange_circle: *failed* in *oslo*, started 11:30, ended 11:33, took 3 min',
      '\\n> `Container main exited with code 1`\\n> `Job failed`\\n→ Look in its logs\\nCondition',
      'Condition *Failed* True – BackoffLimitExceeded, since 11:33: `Job has reached its limit`',
      '• main `registry.example.com/etl:v7` ended, 250 millicores, 512 MiB, 2 restarts (OOMKilled, exit code 137): `exited`',
      'logs by replica `etl-29341-x7q0` · job `etl-29341` · workload v7',
    ]) {
      expect(said).toContain(part);
    }
  });

  it.each([
    ['pending', ':hourglass_flowing_sand: *pending*'],
    ['', ':hourglass_flowing_sand: *pending*'],
    ['active', ':hourglass_flowing_sand: *active*'],
    ['successful', ':white_check_mark: *successful*'],
    ['failed', ':large_orange_circle: *failed*'],
    ['invalid', ':large_orange_circle: *invalid*'],
    ['removed', ':heavy_minus_sign: *removed*'],
    ['paused', ':white_circle: *paused*'],
  ])('have a word and a sign for the status "%s"', async (status, shown) => {
    expect(
      saysOf(await open({ oslo: cron(7, { jobExecutions: [{ status }] }) }, 'acme/data/etl/oslo@')),
    ).toContain(shown);
  });

  it.each([
    ['removed', '• main ended, 250'],
    ['successful', '• main ended, 250'],
    ['active', '• main ready, 250'],
  ])('that are %s have containers which are as the run is', async (status, shown) => {
    const main = {
      name: 'main',
      ready: true,
      resources: { replicas: 1, replicasReady: 1, cpu: 250 },
    };
    const one = { status, startTime: at(-9), containers: { main } };
    expect(
      saysOf(await open({ oslo: cron(7, { jobExecutions: [one] }) }, 'acme/data/etl/oslo@')),
    ).toContain(shown);
  });

  it('say that without a replica nothing ever ran, so that a search for logs is pointless', async () => {
    const said = saysOf(
      await open({ oslo: cron(7, { jobExecutions: [{ status: '' }] }) }, 'acme/data/etl/oslo@'),
    );
    expect(said).toContain(':hourglass_flowing_sand: *pending* in *oslo*, not started');
    expect(said).toContain('no replica: nothing ever ran');
  });

  it('are opened one by one, ad-hoc commands too', async () => {
    const other = { ...FAILED, name: 'command-8c1f' };
    const said = saysOf(
      await open(
        { oslo: cron(7, { jobExecutions: [FAILED, other] }) },
        'acme/data/etl/oslo@command-8c1f',
      ),
    );
    expect(said).toContain('job `command-8c1f`');
    expect(said).not.toContain('etl-29341`');
  });

  it('say so where one is no longer reported', async () => {
    const said = saysOf(
      await open({ oslo: cron(7, { jobExecutions: [FAILED] }) }, 'acme/data/etl@x'),
    );
    expect(said).toContain('This run is no longer reported');
  });

  it('say everything of a run that has more to say than fits into a section', async () => {
    const containers = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`step-${index}.`, { image: `image-${index}` }]),
    );
    const status = cron(7, {
      jobExecutions: [{ ...FAILED, containers, message: 'y'.repeat(4_000) }],
    });

    const said = saysOf(await open({ oslo: status }));

    for (const name of Object.keys(containers)) expect(said.split(`• ${name} `)).toHaveLength(2);
    expect(said).toContain(':large_orange_circle: *failed* in *oslo*, continued');
    expect(said).toContain(`${'y'.repeat(1_000)}\`… (3,000 more characters)`);
  });

  it('are refused to members without access, and take a button that names a workload', async () => {
    await expect(open({}, 'acme/data/etl', noneMay)).rejects.toThrow('one user group only');
    await expect(open({}, 'acme/data@x')).rejects.toThrow('names no workload');
    await expect(open({}, 'evil')).rejects.toThrow('names no place');
  });

  it('can be shown, whatever the platform writes into them', () => {
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 3 }), fc.nat(40), (few, copies) => {
        const executions = Array.from({ length: copies + 1 }, () => few).flat();
        const status = cron(7, { jobExecutions: executions });
        const { jobExecutions } = deployment(status, { location: 'oslo' });
        const view = {
          org: 'acme',
          target: { gvc: 'data', workload: 'etl' },
          defaultOrg: 'acme',
          locations: [
            { location: 'oslo', executions: jobExecutions ?? [], isCron: true, isReported: true },
          ],
          skipped: copies,
          links: [],
          page: 1,
          all: true,
          now: NOON,
        };

        const [first] = jobExecutions ?? [];
        const blocks = modalBlocks(runModal(view, first?.name ?? ''));
        const answer = executionsAnswer(view);
        const texts = textsOf([
          ...blocks,
          ...answer.blocks.filter(({ type }) => !type.endsWith('table')),
        ]);

        expect(blocks.length).toBeLessThanOrEqual(LIMITS.modalBlocks);
        expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(250_000);
        expect(texts.filter((text) => text === '' || text.length > LIMITS.sectionText)).toEqual([]);
        expect(texts.join('\n').replaceAll(/<!date\^[^>]*>/g, '')).not.toMatch(/<[!@#a-z]/i);
      }),
      { ...runs, numRuns: 20 },
    );
  });
});

const time = fc.oneof(fc.constant(at(-3)), fc.constant(null), hostile);
const anyRun: fc.Arbitrary<Json> = fc.record(
  {
    name: hostile,
    replica: hostile,
    status: fc.oneof(fc.constantFrom('active', 'failed', 'removed', 'invalid'), hostile),
    workloadVersion: fc.oneof(fc.integer(), hostile),
    startTime: time,
    completionTime: time,
    conditions: fc.array(
      fc.record({ type: hostile, status: hostile, reason: hostile, lastTransitionTime: time }),
      { maxLength: 5 },
    ),
    containers: fc.dictionary(hostile, fc.record({ image: hostile, message: hostile }), {
      maxKeys: 4,
    }),
    message: hostile.map((text) => text.replaceAll(' ', ';')),
  },
  { requiredKeys: [] },
);

/** Every text in the blocks. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'text' && typeof member === 'string' ? [member] : textsOf(member),
  );
}
