import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryField } from '../../../src/features/reports/saved.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { startStateCommand, stateCommand } from '../../support/state-command.ts';
import { minimal } from '../../unit/config/environment.ts';

const server = useRedis();

const HEAD = '{"kind":"purser-state","format":1,"schema":1,"at":"2026-11-20T00:00:00.000Z"}';
const watchOf = (gvc: string, more = '') =>
  `{"kind":"watch","id":"C0OPS acme/${gvc}","value":{"org":"acme","gvc":"${gvc}","channel":"C0OPS","quiet":false,"configured":false${more}}}`;
const auditOf = (id: string, more = '') =>
  `{"kind":"audit","id":"${id}","value":{"at":1,"event":"watch.add"${more}},"hash":"ab"}`;
const SAVED = {
  source: 'charges',
  query: { range: 'this month', of: [], items: [], where: {}, orgs: [] },
  channel: 'C0OPS',
  by: { userId: 'U0ADA', teamId: 'T0ACME' },
  trigger: { kind: 'over', amount: '100' },
  madeAt: 1,
};
const END = (lines: number) => `{"kind":"end","lines":${lines}}`;

async function openStore() {
  const environment = {
    ...minimal,
    REDIS_URL: server.url,
    REDIS_PREFIX: `test-${randomUUID()}`,
  };
  const redis = await connectTo(server.url);
  onTestFinished(() => redis.disconnect());
  const keys = createKeys(environment.REDIS_PREFIX);
  return {
    redis,
    keys,
    watches: async () => Object.keys(await redis.hgetall(keys.watches)).toSorted(),
    load: (...lines: readonly string[]) => stateCommand(['import'], environment, lines.join('\n')),
  };
}

describe('an import', () => {
  it('names each line that it did not write and why, and writes the others', async () => {
    const { load, watches } = await openStore();

    const { code, said, complained } = await load(
      // The banner of npm.
      '> purser@1.0.0 state',
      HEAD,
      watchOf('one'),
      watchOf('two', ',"quiet":"yes"'),
      '{"kind":"watch","id":"C0OPS acme/elsewhere","value":{"org":"acme"}}',
      '{"kind":"ghost\\n","id":"x","value":{}}',
      watchOf('three').slice(0, 50),
      watchOf('four'),
      END(6),
    );

    expect(code).toBe(1);
    expect(said).toContain('2 lines were written, and 0 were in Redis already.');
    expect(complained.trim().split('\n')).toEqual([
      'Line 4 was not written: it is no valid watch ("C0OPS acme/two").',
      'Line 5 was not written: it is no valid watch ("C0OPS acme/elsewhere").',
      'Line 6 was not written: this Purser knows no kind "ghost\\n".',
      'Line 7 was not written: it is cut off, or no line of an export.',
    ]);
    expect(await watches()).toEqual(['C0OPS acme/four', 'C0OPS acme/one']);
  });

  it('replaces nothing in Redis', async () => {
    const { load, redis, keys } = await openStore();
    await load(HEAD, watchOf('one'), END(1));

    const { code, complained } = await load(HEAD, watchOf('one', ',"notify":"<@U0EVE>"'), END(1));

    expect(code).toBe(1);
    expect(complained).toBe(
      'Line 2 was not written: Redis has another watch "C0OPS acme/one", and it stays.\n',
    );
    expect(await redis.hget(keys.watches, 'C0OPS acme/one')).not.toContain('EVE');
  });

  it('leaves no hole in the audit: after a line that cannot be written it writes none', async () => {
    const { load, redis, keys } = await openStore();
    const lines = [auditOf('5-0'), auditOf('6-0', ',"event":7'), auditOf('7-0'), auditOf('8-0')];

    const { complained } = await load(HEAD, ...lines, END(4));
    expect(complained.trim().split('\n')).toEqual([
      'Line 3 was not written: it is no valid line of the audit.',
      'The 2 lines of the audit after line 3 were not written either: they continue its chain.',
    ]);
    expect(await redis.xlen(keys.audit)).toBe(1);

    const mended = lines.with(1, auditOf('6-0'));
    expect(await load(HEAD, ...mended, END(4))).toMatchObject({ code: 0 });
    expect(await redis.xlen(keys.audit)).toBe(4);
  });

  it('does not put the audit behind newer lines', async () => {
    const { load, redis, keys } = await openStore();
    await redis.xadd(keys.audit, '9-0', 'data', '{"at":1,"event":"x"}', 'hash', 'cd');

    const { code, complained } = await load(HEAD, auditOf('5-0'), END(1));

    expect(code).toBe(1);
    expect(complained).toContain('import into an empty Redis, before Purser starts');
    expect(await redis.xlen(keys.audit)).toBe(1);
  });

  it('says that a file is cut off, and writes its lines', async () => {
    const { load, watches } = await openStore();

    expect(await load(HEAD, watchOf('one'))).toMatchObject({
      code: 1,
      complained: 'The file is cut off: its last line is missing, so there may have been more.\n',
    });
    expect(await load(HEAD, watchOf('one'), END(3))).toMatchObject({
      code: 1,
      complained: 'The file should have 3 lines between the first and the last, and has 1.\n',
    });
    expect(await watches()).toEqual(['C0OPS acme/one']);
  });

  it('raises the number of the last saved question, and lowers it never', async () => {
    const { load, redis, keys } = await openStore();
    const last = (value: number) => `{"kind":"question","id":"last","value":${value}}`;

    await load(HEAD, last(7), END(1));
    expect(await load(HEAD, last(5), END(1))).toMatchObject({ code: 0 });

    expect(await redis.hget(keys.savedQuestions, 'last')).toBe('7');
  });

  it('brings with a saved question what it has reported, if it has reported anything', async () => {
    const { load, redis, keys } = await openStore();
    const saved = (id: string, more = '') =>
      `{"kind":"question","id":"${id}","value":${JSON.stringify(SAVED)}${more}}`;

    const said = ',"beside":{"reported":["100"]}';
    expect(await load(HEAD, saved('3', said), saved('4'), END(2))).toMatchObject({ code: 0 });

    expect(await redis.hgetall(keys.savedQuestions)).toEqual({
      '3': JSON.stringify(SAVED),
      [memoryField('3')]: '{"reported":["100"]}',
      '4': JSON.stringify(SAVED),
      last: '4',
    });
  });

  it.each([
    ['of nothing', [], 'The file is empty: nothing was written.'],
    ['of another program', [watchOf('one')], 'This is no export of Purser: its first line'],
    [
      'of another release',
      [HEAD.replace('"schema":1', '"schema":2'), watchOf('one'), END(1)],
      'The export has format 1 and schema 2, this Purser knows format 1 and schema 1: import it with the release that wrote it.',
    ],
  ])('%s writes nothing', async (_, lines, sentence) => {
    const { load, watches } = await openStore();

    const { code, complained } = await load(...lines);

    expect(code).toBe(2);
    expect(complained).toContain(sentence);
    expect(await watches()).toEqual([]);
  });

  it('says when its file cannot be read', async () => {
    const environment = { ...minimal, REDIS_URL: server.url, REDIS_PREFIX: 'test-no-file' };
    const { code, complained } = await stateCommand(['import', '/none/such'], environment);

    expect({ code, complained }).toEqual({
      code: 2,
      complained: expect.stringContaining('/none/such cannot be read: ENOENT'),
    });
  });
});

it('an export that no one reads to its end says so', async () => {
  const { child, code } = startStateCommand(['export'], { ...minimal, REDIS_URL: server.url });
  child.stdout.destroy();

  expect(await text(child.stderr)).toContain('The output cannot be written: write EPIPE');
  expect(await code).toBe(2);
});
