import { describe, expect, it } from 'vitest';
import {
  broken,
  cron,
  DAY,
  down,
  idle,
  MINUTE,
  ready,
  rolling,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario, outcomes, type GvcScenario } from './gvc-scenario.ts';

/** Ready under a GVC version. */
function under(gvc: number, expected: number): Json {
  return ready(expected, { versions: [version(expected, { gvc })] });
}

/** Coming up under a GVC version beside what served under the one before. */
function coming(gvc: number, expected: number): Json {
  const versions = [version(expected, { gvc, ready: false }), version(expected, { gvc: gvc - 1 })];
  return rolling(expected, { versions });
}

function failing(gvc: number, expected: number): Json {
  return broken(expected, '', {
    versions: [version(expected, { gvc, ready: false, message: 'no such image' })],
  });
}

function shop(): GvcScenario {
  return gvcScenario({ 'a/lima': under(4, 1), 'a/oslo': under(4, 1), 'b/lima': under(4, 7) });
}

describe('the same versions under a higher version of the GVC', () => {
  it('make one card with a row per workload, and one ready', () => {
    const gvc = shop();

    expect(outcomes(gvc.poll({ 'a/lima': coming(5, 1) }))).toEqual([]);
    expect(gvc.news()).toEqual(['open @gvc/5/card, a deploying 2/4, b waiting 0/2']);
    expect(gvc.active()).toBe(true);
    gvc.poll({ 'a/lima': under(5, 1), 'a/oslo': under(5, 1) });
    expect(gvc.news()).toEqual(['edit @gvc/5/card, a ready 4/4, b waiting 0/2']);
    gvc.poll();
    expect(gvc.news()).toEqual([]);

    expect(outcomes(gvc.poll({ 'b/lima': under(5, 7) }))).toEqual([]);
    expect(gvc.news()).toEqual([
      'edit @gvc/5/card ready, a ready 4/4, b ready 2/2',
      '@gvc/5/ready',
    ]);
    gvc.poll();
    expect(gvc.news()).toEqual([]);
  });

  it('open no cards of the workloads', () => {
    const gvc = shop();

    const lines = [{ 'a/lima': coming(5, 1) }, { 'a/lima': under(5, 1) }].flatMap((one) =>
      gvc.poll(one),
    );
    expect(lines.filter((text) => text.startsWith('open'))).toEqual([]);
  });

  it('but what fails has a card and an outcome of its own, and holds ready back', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': under(5, 1), 'a/oslo': under(5, 1), 'b/lima': coming(5, 7) });

    expect(gvc.poll({ 'b/lima': failing(5, 7) })).toEqual(['open b/7/card', 'b/7/failed in lima']);
    expect(gvc.news()).toEqual(['edit @gvc/5/card, a ready 4/4, b failed 2/2']);
    expect(outcomes(gvc.poll({ 'b/lima': under(5, 7) }))).toEqual([
      'b/7/ready in lima by @gvc/5/ready',
    ]);
    expect(gvc.news()[1]).toBe('@gvc/5/ready covers b/7/ready');
  });

  it('say of which workloads fewer than half of the replicas serve, those under the old version counted', () => {
    const anew = version(7, {
      gvc: 5,
      ready: false,
      containers: { main: down() },
      message: 'no image',
    });
    const left = { 'b/lima': broken(7, '', { versions: [anew, version(7, { gvc: 4 })] }) };
    const alone = { 'b/lima': broken(7, '', { versions: [anew] }) };
    const gvc = shop();
    gvc.poll({ 'a/lima': under(5, 1), 'a/oslo': under(5, 1), ...left });

    expect(gvc.news()).toEqual(['open @gvc/5/card, a ready 4/4, b failed 0/2']);
    gvc.poll(alone);
    expect(gvc.news()).toEqual(['edit @gvc/5/card, a ready 4/4, b failed 0/2 hurt']);
    gvc.poll({ 'b/lima': under(5, 7) });
    expect(gvc.news()[0]).toBe('edit @gvc/5/card ready, a ready 4/4, b ready 2/2');
  });

  it('but a rollout of a workload’s own that comes meanwhile is told to be ready by itself', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': coming(5, 1), 'a/oslo': coming(5, 1), 'b/lima': coming(5, 8) });

    const all = { 'a/lima': under(5, 1), 'a/oslo': under(5, 1), 'b/lima': under(5, 8) };
    expect(outcomes(gvc.poll(all))).toEqual(['b/8/ready in lima']);
    expect(gvc.news()[1]).toBe('@gvc/5/ready');
  });

  it('but what has come back before all are ready is told by itself', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': coming(5, 1), 'b/lima': failing(5, 7) });

    expect(outcomes(gvc.poll({ 'b/lima': under(5, 7) }))).toEqual(['b/7/ready in lima']);
    gvc.poll({ 'a/lima': under(5, 1), 'a/oslo': under(5, 1) });
    expect(gvc.news()[1]).toBe('@gvc/5/ready');
  });

  it('are not waited for where nothing is to run', () => {
    const gvc = gvcScenario({
      'a/lima': under(4, 1),
      'b/lima': under(4, 1),
      'c/lima': under(4, 1),
      'd/lima': cron(1, { versions: [version(1)] }),
    });
    gvc.poll({ 'b/lima': suspended(1), 'c/lima': idle(1) });
    gvc.poll({ 'a/lima': under(5, 1) });

    expect(gvc.news()).toEqual([
      'open @gvc/5/card ready, a ready 2/2, b suspended 0/0, c idle 0/0',
      '@gvc/5/ready',
    ]);
  });

  it('are waited for ten minutes, then who stays behind is set aside', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': under(5, 1), 'a/oslo': under(5, 1) });
    gvc.poll({}, { after: 10 * MINUTE - 1 });
    expect(gvc.news()).toEqual([]);

    gvc.poll({}, { after: 1 });
    expect(gvc.news()).toEqual(['edit @gvc/5/card ready, a ready 4/4', '@gvc/5/ready']);
    gvc.poll({ 'b/lima': under(5, 7) });
    expect(gvc.news()).toEqual([]);
  });

  it('are superseded by a still higher one', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': coming(5, 1) });
    gvc.poll({ 'a/lima': coming(6, 1) });

    expect(gvc.news()).toEqual([
      'edit @gvc/5/card superseded',
      'open @gvc/6/card, a deploying 2/4, b waiting 0/2',
    ]);
    gvc.poll({ 'b/lima': under(5, 7) });
    expect(gvc.news()).toEqual([]);
  });

  it('are no news when they were found so, or come with a new version of the workload', () => {
    const gvc = gvcScenario({ 'a/lima': under(5, 1), 'b/lima': under(4, 7) });
    gvc.poll();
    expect(gvc.news()).toEqual([]);

    expect(gvc.poll({ 'b/lima': under(5, 8) })).toContain('open b/8/card: ready');
    expect(gvc.news()).toEqual([]);

    const silent = gvcScenario({
      'a/lima': ready(1, { versions: [version(1, { gvc: undefined })] }),
    });
    silent.poll({ 'a/lima': under(5, 1) });
    expect(silent.news()).toEqual([]);
  });

  it('end with the workloads', () => {
    const gvc = gvcScenario({ 'a/lima': under(4, 1), 'tidy/lima': cron(1) });
    gvc.poll({ 'a/lima': coming(5, 1) });
    gvc.poll({ 'a/lima': 'absent' });
    gvc.poll();

    expect(gvc.news()).toEqual(['edit @gvc/5/card gone']);
  });
});

describe('a GVC of which every record is gone', () => {
  it('is told when the last of them has gone, and covers what goes with it', () => {
    const gvc = shop();
    gvc.poll({ 'a/lima': under(4, 2), 'a/oslo': under(4, 2), 'b/lima': under(4, 8) });
    gvc.poll({ 'a/lima': 'absent', 'a/oslo': 'absent' });
    expect(outcomes(gvc.poll())).toEqual(['a/2/gone in lima, oslo']);
    expect(gvc.news()).toEqual([]);

    gvc.poll({ 'b/lima': 'absent' });
    expect(outcomes(gvc.poll({}, { gone: true }))).toEqual([]);
    expect(gvc.news()).toEqual(['@gvc/4/gone: a, b covers b/8/gone']);
  });

  it('does not cover what was told before and only gains a location', () => {
    const gvc = gvcScenario({ 'a/lima': under(4, 1), 'a/oslo': under(4, 1) });
    gvc.poll({ 'a/lima': under(4, 2), 'a/oslo': under(4, 2) });
    gvc.poll({ 'a/lima': 'absent' });
    expect(outcomes(gvc.poll())).toEqual(['a/2/gone in lima']);
    gvc.poll({ 'a/oslo': 'absent' });

    expect(outcomes(gvc.poll({}, { gone: true }))).toEqual(['a/2/gone in lima, oslo']);
    expect(gvc.news()).toEqual(['@gvc/4/gone: a']);
  });

  it('closes an incident without saying that anything is back', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const all = <T>(one: T): Record<string, T> =>
      Object.fromEntries(names.map((name) => [`${name}/lima`, one]));
    const gvc = gvcScenario(all(under(4, 1)));
    gvc.poll(all(failing(4, 1)));
    gvc.poll(all('absent' as const));
    gvc.poll({}, { gone: true });

    expect(gvc.news()).toEqual([
      'edit @location/lima/unhealthy/1 closed: a gone, b gone, c gone, d gone, e gone',
      expect.stringMatching(/^@gvc\/4\/gone: a, b, c, d, e/),
    ]);
  });

  it('comes back in silence at the same versions, and its end is told once', () => {
    const gvc = gvcScenario({ 'a/lima': under(4, 1) });
    const leave = (): string[][] => {
      gvc.poll({ 'a/lima': 'absent' });
      return [outcomes(gvc.poll({}, { gone: true })), gvc.news()];
    };

    expect(leave()[1]).toEqual(['@gvc/4/gone: a covers a/1/gone']);
    expect(outcomes(gvc.poll({ 'a/lima': under(4, 1) }, { after: DAY }))).toEqual([]);
    expect(gvc.news()).toEqual([]);
    expect(leave()).toEqual([['a/1/gone/2 in lima'], []]);
  });
});
