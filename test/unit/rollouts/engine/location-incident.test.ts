import { describe, expect, it } from 'vitest';
import { broken, MINUTE, ready, rolling, SECOND, stale, suspended } from '../platform-json.ts';
import { gvcScenario, outcomes, type Listed, type Listing } from './gvc-scenario.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const no = 'no such image';

/** The first `count` workloads, at one location. */
function many(count: number, location: string, status: Listed): Listing {
  return Object.fromEntries(NAMES.slice(0, count).map((name) => [`${name}/${location}`, status]));
}

/** Seven workloads at two locations. */
const calm = { ...many(7, 'lima', ready(1)), ...many(7, 'oslo', ready(1)) };
const sick = broken(1, 'probe failed');

describe('five workloads that get into trouble at one location', () => {
  it('are one message, which stands for their outcomes', () => {
    const gvc = gvcScenario(calm);
    const lines = gvc.poll(many(5, 'lima', sick));

    expect(lines.slice(0, 2)).toEqual([
      'open a/1/card but for @location/lima/unhealthy/1',
      'a/1/unhealthy in lima by @location/lima/unhealthy/1',
    ]);
    expect(gvc.news()).toEqual([
      'open @location/lima/unhealthy/1: a unhealthy, b unhealthy, c unhealthy, d unhealthy, e unhealthy' +
        ' covers a/1/unhealthy b/1/unhealthy c/1/unhealthy d/1/unhealthy e/1/unhealthy',
    ]);
    expect(gvc.poll()).toEqual([]);
    expect(gvc.news()).toEqual([]);
  });

  it('are so within a minute over several polls: those told before stay as they are', () => {
    const gvc = gvcScenario(calm);

    expect(outcomes(gvc.poll(many(4, 'lima', sick)))).toHaveLength(4);
    expect(gvc.news()).toEqual([]);
    const lines = gvc.poll({ 'e/lima': sick }, { after: MINUTE });

    expect(outcomes(lines)).toEqual(['e/1/unhealthy in lima by @location/lima/unhealthy/1']);
    expect(gvc.news()).toEqual([
      'open @location/lima/unhealthy/1: a unhealthy, b unhealthy, c unhealthy, d unhealthy, e unhealthy' +
        ' covers e/1/unhealthy',
    ]);
  });

  it('are five by themselves when it takes longer, or one of them was so at the first poll', () => {
    const slow = gvcScenario(calm);
    slow.poll(many(4, 'lima', sick));
    slow.poll({ 'e/lima': sick }, { after: MINUTE + SECOND });
    expect(slow.news()).toEqual([]);

    const found = gvcScenario({ ...calm, 'a/lima': sick });
    found.poll(many(5, 'lima', sick));
    expect(found.news()).toEqual([]);
    found.poll({ 'f/lima': sick });
    expect(found.news()[0]).toMatch(/^open .*: a failed, b unhealthy.* covers f\/1\/unhealthy$/);
  });

  it('give it the state that most of them are in, in doubt the one that says most', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ ...many(5, 'lima', stale(1)), 'a/lima': sick, 'b/lima': sick });
    expect(gvc.news()[0]).toMatch(/^open @location\/lima\/stale\/1:/);

    const even = gvcScenario(calm);
    even.poll({ ...many(6, 'lima', stale(1)), ...many(3, 'lima', sick) });
    expect(even.news()[0]).toMatch(/^open @location\/lima\/unhealthy\/1:/);
  });

  it('are the matter of a location, however the workloads are called', () => {
    const names = ['__proto__', 'constructor', 'toString', 'x', 'y'];
    const at = (status: Listed): Listing =>
      Object.fromEntries(names.map((name) => [`${name}/lima`, status]));
    const gvc = gvcScenario(at(ready(1)));
    gvc.poll(at(sick));

    expect(gvc.news()[0]).toContain('covers __proto__/1/unhealthy constructor/1/unhealthy');
    gvc.poll(at(ready(1)));
    expect(gvc.news()[1]).toMatch(/^@location\/lima\/recovered\/1 back: .* closes$/);
  });
});

describe('while the incident of a location is open', () => {
  function opened(): ReturnType<typeof gvcScenario> {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    return gvc;
  }

  it('later workloads are told in a reply', () => {
    const gvc = opened();
    const lines = gvc.poll({ 'f/lima': sick }, { after: 20 * MINUTE });

    expect(lines).toEqual([
      'open f/1/card but for @location/lima/unhealthy/2',
      'f/1/unhealthy in lima by @location/lima/unhealthy/2',
    ]);
    expect(gvc.news().slice(1)).toEqual([
      '@location/lima/unhealthy/2 later: f covers f/1/unhealthy',
    ]);
  });

  it('returns are told in replies, the last of which closes it', () => {
    const gvc = opened();

    expect(outcomes(gvc.poll({ 'a/lima': ready(1), 'b/lima': ready(1) }))).toEqual([
      'a/1/recovered in lima by @location/lima/recovered/1',
      'b/1/recovered in lima by @location/lima/recovered/1',
    ]);
    expect(gvc.news()).toEqual([
      'edit @location/lima/unhealthy/1: a ready, b ready, c unhealthy, d unhealthy, e unhealthy',
      '@location/lima/recovered/1 back: a, b covers a/1/recovered b/1/recovered',
    ]);
    gvc.poll({ 'c/lima': ready(1), 'd/lima': ready(1) });
    expect(gvc.news()[1]).toMatch(/recovered\/2 back: c, d covers .*recovered$/);
    gvc.poll(many(5, 'lima', ready(1)));
    expect(gvc.news()).toEqual([
      'edit @location/lima/unhealthy/1 closed: a ready, b ready, c ready, d ready, e ready',
      '@location/lima/recovered/3 back: e covers e/1/recovered closes',
    ]);
    expect(gvc.state().gvcLevel).toEqual({
      incidents: {
        turns: [],
        list: [],
        covered: [],
        numbers: { 'lima/unhealthy': 1, 'lima/recovered': 3 },
      },
    });
  });

  it('what has been sick for long does not keep it open', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ 'g/lima': sick });
    gvc.poll(many(5, 'lima', sick), { after: 20 * MINUTE });
    expect(gvc.news()[0]).not.toContain('g unhealthy');

    gvc.poll(many(5, 'lima', ready(1)), { after: MINUTE });
    expect(gvc.news()[1]).toMatch(/back: a, b, c, d, e covers .* closes$/);
  });

  it('a second loss of one workload is news of it, and the next incident has its own number', () => {
    const gvc = opened();
    gvc.poll({ 'a/lima': ready(1) });
    gvc.poll({ 'a/lima': sick });
    expect(gvc.news().slice(1)).toEqual([
      '@location/lima/unhealthy/2 later: a covers a/1/unhealthy/2',
    ]);

    gvc.poll(many(5, 'lima', ready(1)));
    gvc.poll(many(7, 'lima', stale(1)), { after: 20 * MINUTE });
    expect(gvc.news()[0]).toMatch(/^open @location\/lima\/stale\/1:/);
    gvc.poll(many(7, 'lima', ready(1)));
    gvc.poll(many(7, 'lima', sick), { after: 20 * MINUTE });
    expect(gvc.news()[0]).toMatch(/^open @location\/lima\/unhealthy\/3:/);
  });

  it('the message is edited to what is true now, and only then', () => {
    const gvc = opened();
    gvc.poll({ 'a/lima': stale(1) });
    expect(gvc.news()[0]).toMatch(/^edit @location\/lima\/unhealthy\/1: a stale, b unhealthy/);
    gvc.poll({ 'g/oslo': sick });
    expect(gvc.news()).toEqual([]);
  });

  it('the message closes as well when its workloads are switched off, without a return', () => {
    const gvc = opened();
    gvc.poll(many(5, 'lima', suspended(1)));

    expect(gvc.news()[1]).toMatch(/^@location\/lima\/recovered\/1 back: .*closes$/);
  });
});

describe('a workload that is covered and gets into trouble elsewhere', () => {
  it('is told so in a reply to the incident, and its return when all is well', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));

    expect(gvc.poll({ 'a/oslo': sick })).toEqual([
      'open a/1/card but for @location/lima/unhealthy/2',
      'a/1/unhealthy in lima, oslo by @location/lima/unhealthy/2',
    ]);
    expect(gvc.news().slice(1)).toEqual(['@location/lima/unhealthy/2 elsewhere oslo: a']);
    gvc.poll(many(5, 'lima', ready(1)));
    expect(gvc.news()[1]).toMatch(/recovered\/1 back: b, c, d, e covers .* closes$/);

    expect(outcomes(gvc.poll({ 'a/oslo': ready(1) }))).toEqual([
      'a/1/recovered in lima, oslo by @location/lima/recovered/2',
    ]);
    expect(gvc.news()[1]).toBe('@location/lima/recovered/2 back: a covers a/1/recovered');
    expect(gvc.state().gvcLevel?.incidents).toMatchObject({ list: [], covered: [] });
  });

  it('is told in another way there: the reply stands for that outcome', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll({ 'a/oslo': stale(1) });

    expect(gvc.news().slice(1)).toEqual([
      '@location/lima/unhealthy/2 elsewhere oslo: a covers a/1/stale',
    ]);
  });

  it('is told in the incident of that location when it has one', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll(many(5, 'oslo', sick), { after: 10 * MINUTE });

    expect(gvc.news()).toHaveLength(2);
    expect(gvc.news()[0]).toMatch(/^edit @location\/lima/);
    expect(gvc.news()[1]).toMatch(/^open @location\/oslo\/unhealthy\/1: a unhealthy.*e unhealthy$/);
  });
});

describe('a workload that flaps while its location is in trouble', () => {
  it('is told in replies, and not as flapping', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    for (const status of [ready(1), sick, ready(1)]) gvc.poll({ 'a/lima': status });

    expect(outcomes(gvc.poll({ 'a/lima': sick }))).toEqual([
      'a/1/unhealthy/3 in lima by @location/lima/unhealthy/3',
    ]);
  });

  it('is told as flapping by itself for what it does at another location', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ ...many(6, 'lima', sick), 'a/lima': ready(1) });
    for (const status of [sick, ready(1), sick]) gvc.poll({ 'a/oslo': status });

    expect(outcomes(gvc.poll({ 'a/oslo': ready(1) }))).toEqual(['a/1/flapping in oslo']);
    expect(gvc.told().at(-1)?.outcome?.covers).toEqual([
      { workload: 'a', version: 1, kind: 'recovered', n: 2 },
    ]);
    expect(gvc.news()).toEqual([]);
  });
});

describe('two locations at once', () => {
  it('have a message each, and every outcome is covered by one of them', () => {
    const gvc = gvcScenario(calm);
    const both = gvc.poll({ ...many(6, 'lima', sick), ...many(5, 'oslo', sick), 'g/oslo': sick });

    expect(outcomes(both).filter((text) => text.endsWith('by @location/oslo/unhealthy/1'))).toEqual(
      ['g/1/unhealthy in oslo by @location/oslo/unhealthy/1'],
    );
    expect(gvc.news()).toHaveLength(2);
    expect(gvc.news()[0]).toMatch(/^open @location\/lima.* covers a.* f\/1\/unhealthy$/);
    expect(gvc.news()[1]).toMatch(/^open @location\/oslo.* covers g\/1\/unhealthy$/);
  });
});

describe('an incident in the middle of rollouts', () => {
  it('covers what fails there; the cards that are open go on', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ ...many(5, 'lima', rolling(2)), ...many(5, 'oslo', rolling(2)) });
    const lines = gvc.poll({ ...many(5, 'lima', broken(2, no)), ...many(5, 'oslo', ready(2)) });

    expect(lines.slice(0, 2)).toEqual([
      'open a/2/card but for @location/lima/failed/1',
      'a/2/failed in lima by @location/lima/failed/1',
    ]);
    const ends = gvc.poll({ ...many(4, 'lima', ready(2)), 'e/lima': rolling(3) });
    expect(outcomes(ends)).toContain('a/2/ready in lima, oslo by @location/lima/recovered/1');
    expect(gvc.news()[1]).toBe(
      '@location/lima/recovered/1 back: a, b, c, d' +
        ' covers a/2/ready b/2/ready c/2/ready d/2/ready closes',
    );
    // Another rollout is no return of the one that failed.
    expect(outcomes(gvc.poll({ 'e/lima': ready(3), 'e/oslo': ready(3) }))).toEqual([
      'e/3/ready in lima, oslo',
    ]);
  });

  it('does not count a location that the version has not reached', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'oslo', rolling(2)));
    gvc.poll(many(5, 'lima', sick));

    expect(gvc.news()).toEqual([]);
  });
});
