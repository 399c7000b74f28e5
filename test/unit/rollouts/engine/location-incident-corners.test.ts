import { describe, expect, it } from 'vitest';
import type { LocationNotice, LocationRow } from '../../../../src/rollouts/engine/notices.ts';
import {
  broken,
  container,
  cron,
  idle,
  MINUTE,
  ready,
  rolling,
  SECOND,
  stale,
  version,
} from '../platform-json.ts';
import { gvcScenario, outcomes, type Listed, type Listing } from './gvc-scenario.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const LATER = { after: 2 * MINUTE };

function many(count: number, location: string, status: Listed): Listing {
  return Object.fromEntries(NAMES.slice(0, count).map((name) => [`${name}/${location}`, status]));
}

const calm = { ...many(7, 'lima', ready(1)), ...many(7, 'oslo', ready(1)) };
const sick = broken(1, 'probe failed');
const one = broken(1, 'probe failed', {
  desiredScale: 10,
  versions: [
    version(1, {
      ready: false,
      containers: { main: container({ resources: { replicas: 10, replicasReady: 1 } }) },
    }),
  ],
});
const no2 = broken(2, 'no such image');

describe('no incident of a location', () => {
  it('is made of trouble that goes on and only says something else', () => {
    const gvc = gvcScenario({ ...calm, ...many(5, 'lima', sick) });
    gvc.poll(many(5, 'lima', broken(1, 'no such image')));

    expect(gvc.news()).toEqual([]);
  });

  it('is made of records that come back in the trouble in which they left', () => {
    const gvc = gvcScenario({ ...calm, ...many(5, 'lima', sick) });
    gvc.poll(many(5, 'lima', 'absent'));
    gvc.poll();
    gvc.poll(many(5, 'lima', sick));
    expect(gvc.news()).toEqual([]);

    gvc.poll(many(5, 'lima', 'absent'));
    gvc.poll();
    gvc.poll(many(5, 'lima', stale(1)));
    expect(gvc.news()[0]).toMatch(/^open @location\/lima\/stale\/1/);
  });

  it('is made of cron workloads', () => {
    const gvc = gvcScenario(many(5, 'lima', cron(1)));
    gvc.poll(many(5, 'lima', stale(1)));

    expect(gvc.news()).toEqual([]);
  });

  it('is made of what an earlier one has told', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll({ 'f/lima': sick });
    gvc.poll(many(6, 'lima', ready(1)));
    gvc.poll(many(4, 'lima', stale(1)), { after: SECOND });

    expect(gvc.news()).toEqual([]);
  });
});

describe('an open incident', () => {
  it('tells the return also of those that were told by themselves before it opened', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(3, 'lima', stale(1)));
    gvc.poll(many(5, 'lima', stale(1)));
    expect(gvc.news()[0]).toMatch(/^open .* covers d\/1\/stale e\/1\/stale$/);

    const back = outcomes(gvc.poll(many(5, 'lima', ready(1))));
    expect(back.filter((text) => !text.endsWith(' by @location/lima/recovered/1'))).toEqual([]);
    expect(gvc.news()[1]).toBe(
      '@location/lima/recovered/1 back: a, b, c, d, e covers a/1/recovered b/1/recovered' +
        ' c/1/recovered d/1/recovered e/1/recovered closes',
    );
  });

  it('does not tell the return of who was in trouble elsewhere, too, before it opened', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ ...many(3, 'lima', stale(1)), 'a/oslo': stale(1) });
    gvc.poll(many(5, 'lima', stale(1)));

    const back = outcomes(gvc.poll({ ...many(5, 'lima', ready(1)), 'a/oslo': ready(1) }));
    expect(back.slice(0, 2)).toEqual([
      'a/1/recovered in lima, oslo',
      'b/1/recovered in lima by @location/lima/recovered/1',
    ]);
  });

  it('is not kept open by a workload that has become a cron workload', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', stale(1)));
    gvc.poll({
      ...many(4, 'lima', ready(1)),
      'e/lima': stale(1, { jobExecutions: [{ name: 'e-1' }] }),
    });

    expect(gvc.news()[0]).toMatch(/^edit @location\/lima\/stale\/1 closed/);
  });

  it('does not wait for what is back in the trouble in which it was before', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ 'f/lima': sick, 'g/lima': broken(1, 'no such image') });
    gvc.poll(many(6, 'lima', stale(1)), { after: 20 * MINUTE });
    expect(gvc.news()[0]).toContain(', f stale covers ');
    gvc.poll({ 'g/lima': stale(1) }, { after: 20 * MINUTE });

    gvc.poll({ ...many(5, 'lima', ready(1)), 'f/lima': sick });
    expect(gvc.news()).toHaveLength(2);
    gvc.poll({ 'g/lima': broken(1, 'no such image') });
    expect(gvc.news()[0]).toMatch(/ closed: .* e ready, f unhealthy, g unhealthy$/);
    expect(gvc.news()[1]).toMatch(/recovered\/2 back: +closes$/);
  });

  it('waits for what has become sick in another way', () => {
    const gvc = gvcScenario(calm);
    gvc.poll({ 'f/lima': sick });
    gvc.poll(many(6, 'lima', stale(1)), { after: 20 * MINUTE });
    gvc.poll({ ...many(5, 'lima', ready(1)), 'f/lima': broken(1, 'no such image') });

    expect(gvc.news()[0]).toMatch(/^edit @location\/lima\/stale\/1: .* f unhealthy$/);
  });

  it('takes in five more: a location has one at a time', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll(many(3, 'lima', ready(1)), LATER);
    gvc.poll({ ...many(3, 'lima', sick), 'f/lima': sick, 'g/lima': sick }, LATER);

    expect(gvc.news().map((line) => line.split(':')[0])).toEqual([
      'edit @location/lima/unhealthy/1',
      '@location/lima/unhealthy/2 later',
    ]);
  });
});

describe('what an incident does not cover', () => {
  it('is the return of a workload of which some trouble was told by itself', () => {
    const gvc = gvcScenario(calm);
    expect(outcomes(gvc.poll({ 'a/oslo': sick }))).toEqual(['a/1/unhealthy in oslo']);
    gvc.poll(many(5, 'lima', stale(1)), LATER);
    expect(gvc.news()[0]).toContain('covers a/1/stale b/1/stale');

    const back = outcomes(gvc.poll({ ...many(5, 'lima', ready(1)), 'a/oslo': ready(1) }));
    expect(back[0]).toBe('a/1/recovered in lima, oslo');
    expect(back[1]).toBe('b/1/recovered in lima by @location/lima/recovered/1');
  });

  it('is new trouble of a workload once it is closed', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll({ 'a/oslo': sick });
    gvc.poll(many(5, 'lima', ready(1)));

    expect(outcomes(gvc.poll({ 'a/oslo': stale(1) }, LATER))).toEqual(['a/1/stale in oslo']);
    expect(outcomes(gvc.poll({ 'b/lima': stale(1) }, LATER))).toEqual(['b/1/stale in lima']);
    // Nor is its message edited any more.
    expect(gvc.news()).toEqual([]);
  });

  it('is another outcome of the same poll: the card opens for everybody', () => {
    const gvc = gvcScenario(calm);
    const lines = gvc.poll({ ...many(5, 'lima', stale(1)), 'a/oslo': sick });

    expect(lines.slice(0, 3)).toEqual([
      'open a/1/card',
      'a/1/unhealthy in oslo',
      'a/1/stale in lima by @location/lima/stale/1',
    ]);
  });
});

describe('what still serves while a location is in trouble', () => {
  /** What the message that opens says of `a`. */
  function servesA(found: Listing, over: Listing): string | undefined {
    const gvc = gvcScenario({ ...calm, ...found });
    gvc.poll({ ...many(5, 'lima', sick), ...over });
    const news = gvc.newsItems().find(({ kind }) => kind === 'location') as LocationNotice;
    return news.rows.find(({ workload }) => workload === 'a')?.serves;
  }

  it.each<[string, Listing, Listing, LocationRow['serves']]>([
    ['another location', {}, {}, 'enough'],
    ['the version before at another one', {}, { 'a/oslo': rolling(2), 'a/lima': no2 }, 'enough'],
    ['nothing, when the other location is sick, too', {}, { 'a/oslo': sick }, 'nothing'],
    ['too little, when the other location has one replica of ten', {}, { 'a/oslo': one }, 'little'],
    ['nothing, when the other location sleeps', { 'a/oslo': idle(1) }, {}, 'nothing'],
    ['nobody knows, when the other location is stale', {}, { 'a/oslo': stale(1) }, undefined],
    [
      'nobody knows of the location itself',
      { 'a/oslo': idle(1) },
      { 'a/lima': stale(1) },
      undefined,
    ],
  ])('%s', (_what, found, over, serves) => {
    expect(servesA(found, over)).toBe(serves);
  });

  it('is said anew when it changes', () => {
    const gvc = gvcScenario(calm);
    gvc.poll(many(5, 'lima', sick));
    gvc.poll({ 'a/oslo': idle(1) });

    expect(gvc.news()).toHaveLength(1);
  });
});

describe('a rollout that fails at once with others of its location', () => {
  it('has its card all the same', () => {
    const gvc = gvcScenario(calm);
    const lines = gvc.poll(many(5, 'lima', no2));

    expect(lines.slice(0, 2)).toEqual([
      'open a/2/card',
      'a/2/failed in lima by @location/lima/failed/1',
    ]);
    expect(gvc.poll(many(5, 'lima', rolling(2))).slice(0, 1)).toEqual(['edit a/2/card']);
  });
});
