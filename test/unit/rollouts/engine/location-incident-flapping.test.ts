import { describe, expect, it } from 'vitest';
import { broken, MINUTE, ready, stale } from '../platform-json.ts';
import {
  gvcScenario,
  outcomes,
  type GvcScenario,
  type Listed,
  type Listing,
} from './gvc-scenario.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const well = ready(1);
const sick = broken(1, 'probe failed');

function many(count: number, location: string, status: Listed): Listing {
  return Object.fromEntries(NAMES.slice(0, count).map((name) => [`${name}/${location}`, status]));
}

const calm = { ...many(7, 'lima', well), ...many(7, 'oslo', well) };

/** Polls in which the first seven workloads of Lima are all the same; gives the outcomes of all. */
function lima(gvc: GvcScenario, ...statuses: Listed[]): string[] {
  return statuses.flatMap((status) =>
    outcomes(gvc.poll(many(7, 'lima', status), { after: MINUTE })),
  );
}

describe('a location that comes and goes', () => {
  it('makes none of its workloads flap: its own messages say it all', () => {
    const gvc = gvcScenario(calm);
    const told = lima(gvc, stale(1), well, sick, well, stale(1), well);

    expect(told).toHaveLength(6 * 7);
    expect(told.filter((line) => !line.includes(' by @location/lima/'))).toEqual([]);
    expect(Object.values(gvc.state().rollouts).flatMap(({ changes }) => changes)).toEqual([]);
  });

  it('counts against a workload what was told of it by itself, before the incident opened', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ 'a/lima': sick });
    lima(gvc, sick, well);

    expect(gvc.state().rollouts['a']?.changes).toHaveLength(1);
    expect(gvc.state().rollouts['b']?.changes).toEqual([]);
  });
});

describe('a workload that changed three times by itself', () => {
  /** Three changes of `a`, which is well again. */
  function restless(): GvcScenario {
    const gvc = gvcScenario({ ...calm, 'a/oslo': stale(1) });
    for (const status of [well, sick, well]) gvc.poll({ 'a/oslo': status });
    return gvc;
  }

  it('does not flap because its location gets into trouble, nor when that is over', () => {
    const gvc = restless();

    expect(lima(gvc, stale(1))[0]).toBe('a/1/stale in lima by @location/lima/stale/1');
    expect(lima(gvc, well)[0]).toBe('a/1/recovered/3 in lima by @location/lima/recovered/1');
  });

  it('flaps with its next change of its own, of which the incident knows nothing', () => {
    const gvc = restless();
    lima(gvc, stale(1), well);

    expect(outcomes(gvc.poll({ 'a/oslo': sick }))).toEqual(['a/1/flapping in oslo']);
    expect(gvc.told().at(-1)?.outcome?.covers).toEqual([
      { workload: 'a', version: 1, kind: 'unhealthy', n: 2 },
    ]);
  });

  it('flaps in the poll in which others begin an incident elsewhere', () => {
    const gvc = restless();
    const told = outcomes(
      gvc.poll({ ...many(7, 'lima', stale(1)), 'a/lima': well, 'a/oslo': sick }),
    );

    expect(told.slice(0, 2)).toEqual([
      'a/1/flapping in oslo',
      'b/1/stale in lima by @location/lima/stale/1',
    ]);
    expect(gvc.news()[0]).toMatch(/^open @location\/lima\/stale\/1: b stale.* covers b\/1\/stale /);
  });

  it('flaps when an incident tells only a part of what the poll brings', () => {
    const gvc = restless();
    const told = outcomes(gvc.poll({ ...many(7, 'lima', stale(1)), 'a/oslo': sick }));

    expect(told[0]).toBe('a/1/flapping in lima, oslo');
    expect(gvc.news()[0]).toMatch(/: a stale, b stale.* covers b\/1\/stale /);
  });

  it('goes on flapping through an incident: one message stands for its outcomes', () => {
    const gvc = restless();
    gvc.poll({ 'a/oslo': sick });
    gvc.poll({ 'a/oslo': well });

    expect(lima(gvc, stale(1))[0]).toBe('a/1/flapping in lima, oslo');
    expect(gvc.news()[0]).not.toContain('a/1/stale');
    expect(lima(gvc, well)[0]).toBe('a/1/flapping in lima, oslo');
  });
});
