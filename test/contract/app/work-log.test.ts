import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import { logWork } from '../../../src/lib/work-log.ts';
import { serve, startHttp } from '../platform/support.ts';
import { until } from '../../support/until.ts';
import { createHarness, type Harness } from './harness.ts';

const ADA = 'U0ADA';
const DEPLOYS = 'C0DEPLOYS';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

interface Line extends Record<string, unknown> {
  readonly msg: string;
  readonly work?: string;
}

const linesIn = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const workOf = (facts: object) =>
  until(`the line of ${JSON.stringify(facts)}`, () =>
    linesIn(harness.lines()).find(
      (line) =>
        line.msg === 'Work' && Object.entries(facts).every(([name, value]) => line[name] === value),
    ),
  );

it('has one line about each command: who, what, how long and how it ended', async () => {
  await harness.ask(ADA, DEPLOYS, '/deployments shop');
  await harness.ask('U0BEN', DEPLOYS, '/deployments wach shop');

  const done = {
    level: 'info',
    ms: expect.any(Number),
    work: expect.stringMatching(/^[\da-f-]{36}$/),
  };
  const command = { request: 'command', what: '/deployments' };
  expect(await workOf({ user: ADA })).toMatchObject({ ...command, ...done, end: 'done' });
  expect(await workOf({ user: 'U0BEN' })).toMatchObject({ ...command, ...done, end: 'refused' });
  expect(harness.lines()).not.toContain('wach');
});

it('has one line about each click and each job', async () => {
  const slip = await harness.ask(ADA, DEPLOYS, '/deployments unwach shop');
  await harness.turned(ADA, DEPLOYS, slip, 'command.run');

  expect(await workOf({ what: 'command.run' })).toMatchObject({ user: ADA, end: 'done' });
  expect(await workOf({ queue: 'notifications' })).toMatchObject({ end: 'done' });
});

it('gives the calls to the platform its id, and the lines that are logged meanwhile', async () => {
  const ids: unknown[] = [];
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', secrets: [], destination });
  const server = await serve((request, reply) => {
    ids.push(request.headers['x-request-id']);
    reply.end('{}');
  });
  const http = startHttp(server.url);

  await http.getJson('/before');
  await logWork(logger, { job: 'poll' }, async () => {
    await http.getJson('/within');
    logger.info('Meanwhile');
  });

  const [meanwhile, work] = lines.map((line) => JSON.parse(line) as Line);
  expect(work?.work).toEqual(expect.any(String));
  expect(ids).toEqual([undefined, work?.work]);
  expect(meanwhile?.work).toBe(work?.work);
});
