import { describe, expect, it } from 'vitest';
import { plainCause } from '../../../../src/rollouts/engine/explain.ts';
import { gvcCardContent } from '../../../../src/rollouts/messages/gvc-view.ts';
import { locationContent } from '../../../../src/rollouts/messages/location-view.ts';
import { outcomeContent } from '../../../../src/rollouts/messages/outcome-view.ts';
import { cardContent, jobContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import { cardOfCart, gvcNews, jobFailed, limaFailed, linksOf, outcomeOfCart } from './scenario.ts';

describe('a cause in plain words', () => {
  it.each([
    ['container main: 3 restarts (OOMKilled, exit code 137)', 'out of memory'],
    ['Container main exceeded its memory limit of 512MiB', 'out of memory'],
    ['exec /app/server: exec format error', 'the image is built for another kind of processor'],
    ['Back-off pulling image "x": ErrImagePull: not found', 'the image cannot be pulled'],
    ['The secret db no longer exists.', 'a secret is missing'],
    ['CreateContainerConfigError', 'a setting of a container is wrong'],
    [
      'exec: "serve": executable file not found in $PATH',
      'the command of a container is not in its image',
    ],
    ['Liveness probe failed: timeout', 'the liveness check fails'],
    ['Startup probe failed: timeout', 'the start-up check fails'],
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', 'the readiness check fails'],
    ['Back-off restarting failed container main', 'a container keeps stopping'],
    ['container main: 1 restart (Completed, exit code 0)', 'a container keeps stopping'],
    ['0/4 nodes are available: 4 Insufficient cpu.', 'there is no room for its replicas'],
    ['FailedMount: volume data', 'a volume cannot be mounted'],
    ['the deployment did not converge', 'the location is not converging on the expected version'],
    ['ProgressDeadlineExceeded', 'it did not come up in the time allowed'],
    ['the moon is full', ''],
  ])('%s', (cause, plain) => {
    expect(plainCause(cause)).toBe(plain);
  });

  it('is found in no time, however long the message is', () => {
    expect(plainCause(`secret ${'a '.repeat(50_000)}`)).toBe('');
  });
});

describe('links of the operator', () => {
  const page = 'https://logs.example.com';
  const links = [
    { name: 'Board', template: `${page}/{org}/{gvc}` },
    { name: 'Logs', template: `${page}/{workload}?from={start}&to={end}` },
    { name: 'Version', template: `${page}/{workload}/{version}` },
    { name: 'Location', template: `${page}/at/{location}` },
  ];
  const where = { now: NOON + MINUTE, links };
  const BOARD = `Board ${page}/acme/shop`;
  const logs = (workload: string, from: string): string =>
    `Logs ${page}/${workload}?from=2026-10-05T${encodeURIComponent(from)}&to=2026-10-05T12%3A01%3A00Z`;
  const began = '12:00:10Z';

  it('are buttons of a card, but for what it has no single value for', () => {
    expect(linksOf(cardContent(PLACE, cardOfCart(), where))).toEqual([
      BOARD,
      logs('cart', began),
      `Version ${page}/cart/12`,
    ]);
  });

  it('are buttons of an outcome, with its location where it is one alone', () => {
    const all = [BOARD, logs('cart', began), `Version ${page}/cart/12`];
    const both = outcomeOfCart(
      { locations: ['lima', 'oslo'] },
      { rows: [{ location: 'lima' }, { location: 'oslo' }] },
    );

    expect(linksOf(outcomeContent(PLACE, outcomeOfCart({}), where))).toEqual([
      ...all,
      `Location ${page}/at/lima`,
    ]);
    expect(linksOf(outcomeContent(PLACE, both, where))).toEqual(all);
  });

  it('are buttons of a GVC, of a location and of a job', () => {
    expect(linksOf(gvcCardContent(PLACE, gvcNews(), true, where))).toEqual([BOARD]);
    expect(linksOf(locationContent(PLACE, limaFailed(), limaFailed().rows, where))).toEqual([
      BOARD,
      `Location ${page}/at/lima`,
    ]);
    expect(linksOf(jobContent(PLACE, jobFailed(), where))).toEqual([
      BOARD,
      logs('report', '12:00:00Z'),
      `Location ${page}/at/lima`,
    ]);
  });

  it('stand below no card that is over, and are not there where none is set', () => {
    const { rollout } = cardOfCart();
    const over = cardOfCart({ rollout: { ...rollout, ending: 'superseded' }, rows: [] });

    expect(linksOf(cardContent(PLACE, over, where))).toEqual([]);
    expect(cardContent(PLACE, cardOfCart(), { now: NOON }).blocks).not.toContainEqual(
      expect.objectContaining({ type: 'actions' }),
    );
  });
});
