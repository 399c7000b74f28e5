import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { executionsAnswer } from '../../../src/features/deployments/executions-view.ts';
import type { Answer } from '../../../src/slack/routes.ts';
import { MINUTE, NOON, cron, deployment, ready } from '../rollouts/platform-json.ts';
import type { Json } from '../rollouts/platform-json.ts';
import { hostile, runs } from '../slack/hostile.ts';
import { createDeployments, wordsOf } from './deployments-house.ts';

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
  const deployments = Object.entries(byLocation).map(([location, status]) =>
    deployment(status, { workload: 'etl', location }),
  );
  return createDeployments({ deployments }).type(text);
}

const runsOf = (...jobExecutions: Json[]): Json => cron(4, { jobExecutions });

/** Rows of the table without its header. */
function rowsOf({ blocks }: Answer): string[][] {
  const table = blocks.find((block) => block.type === 'table');
  const rows = (table as { rows: { text: string }[][] } | undefined)?.rows ?? [];
  return rows.slice(1).map((row) => row.map(({ text }) => text));
}

describe('/deployments jobs', () => {
  it('shows the runs of every location, newest first', async () => {
    const answer = await ask({
      oslo: runsOf(run(-60), run(-30, { status: 'failed', message: 'exit code 1; see logs' })),
      lima: runsOf(run(-30)),
    });

    expect(answer.text).toBe('*data/etl* in org acme: 1 failed · 2 successful');
    expect(rowsOf(answer)).toEqual([
      ['-30', 'lima', 'successful', '2026-10-05 11:30', '3 min', '–', 'v4'],
      ['-30', 'oslo', 'failed', '2026-10-05 11:30', '3 min', 'exit code 1 (+1)', 'v4'],
      ['-60', 'oslo', 'successful', '2026-10-05 11:00', '3 min', '–', 'v4'],
    ]);
    expect(answer).toMatchObject({
      shareable: true,
      needs: 'orgs',
      buttons: [{ action_id: 'deployments.runs', value: 'acme/data/etl' }],
    });
  });

  it('tells what runs from what is over: an end alone is no success', async () => {
    const answer = await ask({
      lima: runsOf(
        run(-20, { status: 'active' }),
        run(-10, { status: 'active', completionTime: null }),
        run(0, { status: '', startTime: undefined, completionTime: undefined }),
      ),
    });

    expect(rowsOf(answer).map((row) => row.slice(2, 5))).toEqual([
      ['pending', '–', '–'],
      ['active', '2026-10-05 11:50', '10 min so far'],
      ['active, ended', '2026-10-05 11:40', '3 min'],
    ]);
  });

  it('explains that a removed run is no failure', async () => {
    const answer = await ask({ lima: runsOf(run(-20, { status: 'removed' })) });

    expect(wordsOf(answer)).toContain('that is no failure');
    expect(wordsOf(await ask({ lima: runsOf(run(-20)) }))).not.toContain('no failure');
  });

  it('does not guess what a word means that the platform does not explain', async () => {
    const invalid = await ask({ lima: runsOf(run(-20, { status: 'invalid' })) });
    const unheard = await ask({ lima: runsOf(run(-20, { status: 'paused' })) });

    expect(wordsOf(invalid)).toContain('invalid: the platform does not publish');
    expect(rowsOf(unheard)[0]?.[2]).toBe('paused');
    expect(wordsOf(unheard)).toContain('paused: the platform’s own word');
  });

  it('of many shows the newest twenty and counts the rest', async () => {
    const many = Array.from({ length: 25 }, (_, index) => run(index));

    const answer = await ask({ lima: runsOf(...many) });

    expect(rowsOf(answer)).toHaveLength(20);
    expect(rowsOf(answer)[0]?.[3]).toBe('2026-10-05 12:24');
    expect(wordsOf(answer)).toContain('5 older runs not shown');
  });

  it('reads a status in whatever case it comes, and no time out of an end before the start', async () => {
    const answer = await ask({
      lima: runsOf(run(-20, { status: 'FAILED', completionTime: '2026-10-05T11:00:00Z' })),
    });

    expect(answer.text).toBe('*data/etl* in org acme: 1 failed');
    expect(rowsOf(answer)[0]?.slice(2, 5)).toEqual(['failed', '2026-10-05 11:40', '–']);
  });

  it('does not call a workload no cron workload of which nothing was reported', async () => {
    const unknown = deployment(ready(4), { workload: 'etl', location: 'lima' });
    const deployments = [{ ...unknown, hasStatus: false, jobExecutions: undefined }];

    const answer = await createDeployments({ deployments }).type('jobs data/etl');

    expect(answer.text).toContain('nothing was reported yet');
    expect(answer.text).not.toContain('this is no cron workload');
  });

  it('says so of a workload that is no cron workload', async () => {
    const answer = await ask({ lima: ready(4) });

    expect(answer.text).toContain('this is no cron workload');
    expect(answer.text).toContain('`/deployments data/etl`');
  });

  it('says so where no run or no deployment is reported', async () => {
    expect((await ask({ lima: runsOf() })).text).toContain('no run is reported');
    expect((await ask({})).text).toContain('no deployments');
  });

  it('lets no name and no message speak for the bot', () => {
    fc.assert(
      fc.property(hostile, hostile, (location, text) => {
        const [execution] =
          deployment(runsOf(run(0, { status: text, message: text }))).jobExecutions ?? [];
        const answer = executionsAnswer({
          org: 'acme',
          target: { gvc: 'data', workload: 'etl' },
          locations: [
            { location, executions: execution === undefined ? [] : [execution], isReported: true },
          ],
          skipped: 0,
          now: NOON,
        });
        const words = JSON.stringify(answer.blocks.filter(({ type }) => type !== 'table'));

        expect(`${answer.text}${words}`).not.toMatch(/<[!@#a-z]/i);
      }),
      { ...runs, numRuns: 300 },
    );
  });
});
