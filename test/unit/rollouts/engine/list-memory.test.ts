import { describe, expect, it } from 'vitest';
import { cron, DAY, ready, type Json } from '../platform-json.ts';
import { gvcScenario } from './gvc-scenario.ts';

function runs(...executions: [name: string, status: string][]): Json {
  return cron(3, {
    jobExecutions: executions.map(([name, status]) => ({ name, status, message: `${name} ended` })),
  });
}

describe('the executions of a cron workload', () => {
  it('are told once each when they end badly', () => {
    const gvc = gvcScenario({ 'tidy/lima': runs(['one', 'active']) });

    expect(gvc.poll({ 'tidy/lima': runs(['one', 'failed'], ['two', 'active']) })).toEqual([]);
    expect(gvc.news()).toEqual(['tidy/@job/lima/one/failed one ended']);
    gvc.poll();
    expect(gvc.news()).toEqual([]);
    gvc.poll({ 'tidy/lima': runs(['one', 'failed'], ['two', 'invalid'], ['three', 'failed']) });
    expect(gvc.news()).toEqual([
      'tidy/@job/lima/three/failed three ended',
      'tidy/@job/lima/two/invalid two ended',
    ]);
  });

  it('are no news when they end well, are removed, or leave the list', () => {
    const gvc = gvcScenario({ 'tidy/lima': runs(['one', 'failed']) });
    gvc.poll({ 'tidy/lima': runs(['one', 'failed'], ['two', 'successful'], ['three', 'removed']) });
    expect(gvc.news()).toEqual([]);

    gvc.poll({ 'tidy/lima': runs(['two', 'successful']) });
    expect(gvc.news()).toEqual([]);
  });

  it('are known when they are found at the first poll, and told of a workload that comes later', () => {
    const failed = runs(['one', 'failed']);
    const gvc = gvcScenario({ 'tidy/lima': failed });

    expect(gvc.poll({ 'sweep/lima': failed, 'tidy/oslo': failed })).toEqual([]);
    expect(gvc.news()).toEqual([
      'sweep/@job/lima/one/failed one ended',
      'tidy/@job/oslo/one/failed one ended',
    ]);
  });

  it('are remembered of a record that was gone for long', () => {
    const failed = runs(['one', 'failed']);
    const gvc = gvcScenario({ 'tidy/lima': failed, 'web/lima': ready(1) });
    gvc.poll({ 'tidy/lima': 'absent' });
    gvc.poll();
    gvc.poll({ 'tidy/lima': failed }, { after: 8 * DAY });

    expect(gvc.news()).toEqual([]);
  });

  it('have a place in the key whatever their names are', () => {
    const gvc = gvcScenario({ 'tidy/lima': cron(3) });
    gvc.poll({ 'tidy/lima': runs(['a b/c', 'failed'], ['\ud800', 'failed']) });

    expect(gvc.news().map((line) => line.split(' ')[0])).toEqual([
      'tidy/@job/lima/%EF%BF%BD/failed',
      'tidy/@job/lima/a%20b%2Fc/failed',
    ]);
    expect(gvc.news()[1]).toContain('a b/c ended');
  });

  it('have no rollout card', () => {
    const gvc = gvcScenario({ 'tidy/lima': cron(3) });

    expect(gvc.poll({ 'tidy/lima': cron(4, { jobExecutions: [] }) })).toEqual([]);
  });
});
