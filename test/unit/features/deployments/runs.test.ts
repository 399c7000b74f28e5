import { describe, expect, it } from 'vitest';
import {
  executionsAnswer,
  runModal,
} from '../../../../src/features/deployments/executions-view.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { modalBlocks } from '../../../../src/slack/replies/reply.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile, runs } from '../../slack/hostile.ts';
import type { Deployment } from '../../../../src/platform/deployments/deployment.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { cron, deployment, MINUTE, NOON, ready, type Json } from '../../rollouts/platform-json.ts';
import { buttonsOf, controlOf, stepOf } from '../../../support/answer.ts';
import { createDeployments, noneMay, headOf } from './harness.ts';

const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

/** A run that began so many minutes after noon and took three. */
function run(minutes: number, over: Json = {}): Json {
  return {
    name: `etl-${minutes}`,
    status: 'successful',
    workloadVersion: 4,
    startTime: at(minutes),
    completionTime: at(minutes + 3),
    message: '',
    ...over,
  };
}

async function ask(byLocation: Record<string, Json>, text = 'jobs data/etl'): Promise<Answer> {
  const deployments = Object.entries(byLocation).map(([location, status]) => etl(location, status));
  return createDeployments({ deployments }).type(text);
}

const etl = (location: string, status: Json): Deployment =>
  deployment(status, { workload: 'etl', location });

const runsOf = (...jobExecutions: Json[]): Json => cron(4, { jobExecutions });

/** A cell as text; a moment in the reader's zone by the hour that those see whose Slack cannot read it. */
interface Cell {
  text?: string;
  elements?: { elements: { fallback: string }[] }[];
}

/** Rows of the table without its header and its buttons. */
function rowsOf({ blocks }: Answer): string[][] {
  const table = blocks.find(({ type }) => type.endsWith('table'));
  const rows = (table as { rows: Cell[][] } | undefined)?.rows ?? [];
  return rows
    .slice(1)
    .map((row) =>
      row
        .slice(0, 5)
        .map(({ text, elements }) => text ?? elements?.[0]?.elements[0]?.fallback ?? ''),
    );
}

describe('/deployments jobs', () => {
  it('shows the runs of every location, newest first', async () => {
    const answer = await ask({
      oslo: runsOf(run(-60), run(-30, { status: 'failed', message: 'exit code 1; see logs' })),
      lima: runsOf(run(-30)),
    });

    expect(headOf(answer)).toMatch(
      /^🟠 data\/etl: last run failed in oslo · started <[^>]*>, took 3 min · others: 2 runs successful · org acme · `exit code 1`/,
    );
    expect(rowsOf(answer)).toEqual([
      ['successful', '2026-10-05 11:30 UTC', '3 min', 'lima', '–'],
      ['failed', '2026-10-05 11:30 UTC', '3 min', 'oslo', 'exit code 1 and 1 more message'],
      ['successful', '2026-10-05 11:00 UTC', '3 min', 'oslo', '–'],
    ]);
    expect(answer).toMatchObject({ shareable: true, needs: 'orgs:acme' });
    expect(stepOf(answer, 'failed')).toMatchObject({
      text: { text: 'Details' },
      value: 'acme/data/etl/oslo@etl--30',
      accessibility_label: 'Details: etl--30 in oslo',
    });
  });

  it('has the cause and the next step of a failed run, and links for its time', async () => {
    const failed = { status: 'failed', replica: 'etl-1', message: 'exit code 1; see logs' };
    const links = [{ name: 'Logs', template: 'https://logs/{workload}?from={start}&to={end}' }];
    const typed = async (over: Json) => {
      const deployments = [etl('oslo', runsOf(run(-30, { ...failed, ...over })))];
      return createDeployments({ deployments, links }).type('jobs data/etl');
    };

    const answer = await typed({});
    expect(headOf(answer)).toMatch(/org acme · `exit code 1` · Next: Look in its logs$/);
    expect(controlOf(answer, 'Logs')).toMatchObject({
      url: 'https://logs/etl?from=2026-10-05T11%3A30%3A00Z&to=2026-10-05T11%3A33%3A00Z',
    });
    expect(headOf(await typed({ replica: undefined }))).toMatch(/org acme · `exit code 1`$/);
    const message = 'secret "db" not found';
    expect(headOf(await typed({ replica: undefined, message }))).toMatch(/Next: Create or restore/);
    expect(buttonsOf(await typed({ status: 'successful' }))).toEqual([]);
  });

  it.each([
    [{ lima: ready(4) }, 'this is not a cron workload'],
    [{ lima: ready(4) }, '`/deployments data/etl org beta`'],
    [{ lima: runsOf() }, 'no run is reported'],
    [{}, 'no deployments'],
  ])('says why there is nothing to show: %#', async (byLocation, words) => {
    expect(headOf(await ask(byLocation, 'jobs data/etl org beta'))).toContain(words);
  });

  it("lists all runs, and has pages beyond Slack's limits", async () => {
    const many = Array.from({ length: 245 }, (_, index) => run(index));
    const harness = createDeployments({ deployments: [etl('lima', runsOf(...many))] });

    const first = await harness.type('jobs data/etl');
    const last = await harness.turn(first, 2);

    expect(rowsOf(first)).toHaveLength(200);
    expect(rowsOf(first)[0]?.[1]).toBe('2026-10-05 16:04 UTC');
    expect(rowsOf(last)).toHaveLength(45);
    expect(rowsOf(last).at(-1)?.[1]).toBe('2026-10-05 12:00 UTC');
    expect(last).toMatchObject({ pages: 2, asked: { page: 2 }, needs: 'orgs:acme' });
  });

  it('leaves the runs of ad-hoc commands out, says so, and shows them when asked for', async () => {
    const commands = [
      run(-5, { name: 'command-8c1f', status: 'failed', message: 'no such file' }),
      run(-4, { name: 'run-for-command-77ae' }),
    ];
    const harness = createDeployments({
      deployments: [etl('lima', runsOf(run(-60), ...commands))],
    });

    const without = await harness.type('jobs data/etl');
    const all = await harness.press(without, 'Show all (3)');
    const again = await harness.press(all, 'Hide ad-hoc commands');

    expect(headOf(without)).toContain('last run successful');
    expect(rowsOf(without)).toHaveLength(1);
    expect(headOf(all)).toBe(headOf(without));
    expect(rowsOf(all).map(([status, , , , message]) => [status, message])).toEqual([
      ['successful, ad hoc', 'run-for-command-77ae'],
      ['failed, ad hoc', 'command-8c1f: no such file'],
      ['successful', '–'],
    ]);
    expect(rowsOf(again)).toEqual(rowsOf(without));
  });

  it('is for people with the right on every click and page', async () => {
    const status = { lima: runsOf(run(-60), run(-5, { name: 'command-8c1f' })) };
    const answer = await ask(status);
    const refused = createDeployments({ over: noneMay });

    await expect(refused.press(answer, 'Show all (2)')).rejects.toThrow('user group');
    await expect(refused.turn(answer, 2)).rejects.toThrow('user group');
  });

  it('does not call a workload no cron workload of which nothing was reported', async () => {
    const unknown = deployment(ready(4), { workload: 'etl', location: 'lima' });
    const deployments = [{ ...unknown, hasStatus: false, jobExecutions: undefined }];

    const answer = await createDeployments({ deployments }).type('jobs data/etl');

    expect(headOf(answer)).toContain('nothing was reported yet');
    expect(headOf(answer)).not.toContain('this is not a cron workload');
  });
});

/** The window of a run. */
async function open(jobExecutions: Json[], value: string, over = {}) {
  const deployments = [etl('oslo', runsOf(...jobExecutions))];
  const modal = await createDeployments({ deployments, over }).open(value, 'deployments.run');
  if (modal === undefined) throw new Error('Nothing opens');
  return JSON.stringify(modal.blocks);
}

describe('a run of a cron workload', () => {
  it('opens by its name, also one of an ad-hoc command', async () => {
    const all = [run(-60), run(-5, { name: 'command-8c1f' })];
    const said = await open(all, 'acme/data/etl/oslo@command-8c1f');
    expect(said).toContain('job `command-8c1f`');
    expect(said).not.toContain('etl--60`');
  });

  it('is whole, also when it has more to say than fits into a section', async () => {
    const containers = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`step-${index}.`, { image: `image-${index}` }]),
    );
    const failed = run(-30, { status: 'failed', containers, message: 'y'.repeat(4_000) });

    const said = await open([failed], 'acme/data/etl/oslo@etl--30');

    for (const name of Object.keys(containers)) expect(said.split(`• ${name} `)).toHaveLength(2);
    expect(said).toContain(':large_orange_circle: *failed* in *oslo*, continued');
    expect(said).toContain(`${'y'.repeat(1_000)}\`… (3,000 more characters)`);
  });

  it('is refused to members without access, and takes a button that names a workload', async () => {
    await expect(open([], 'acme/data/etl', noneMay)).rejects.toThrow('one user group only');
    await expect(open([], 'acme/data@x')).rejects.toThrow('names no workload');
    await expect(open([], 'evil')).rejects.toThrow('names no place');
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
