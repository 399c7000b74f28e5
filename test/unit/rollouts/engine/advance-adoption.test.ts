import { describe, expect, it } from 'vitest';
import {
  broken,
  container,
  cron,
  MINUTE,
  ready,
  rolling,
  stale,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario, outcomes, type Listed, type Listing } from './gvc-scenario.ts';

const no = 'no such image';

describe('a record that the first list could not read', () => {
  it.each<[string, Json]>([
    ['ready', ready(1)],
    ['failed', broken(1, no)],
    ['failed without a word', broken(1)],
    ['stale', stale(1)],
    ['deploying', rolling(1)],
  ])('is adopted in silence when it can be read: %s', (_, status) => {
    const gvc = gvcScenario({ 'web/lima': ready(1), 'cart/lima': 'unreadable' });
    gvc.poll();

    expect(gvc.poll({ 'cart/lima': status })).toEqual([]);
    expect(gvc.poll({}, { after: 11 * MINUTE })).toEqual([]);
    expect(gvc.state().meta).not.toHaveProperty('unread');
    expect(gvc.poll({ 'cart/lima': ready(2) })).toContain('open cart/2/card: ready');
  });

  it('is so beside locations that could be read; what befalls these is told', () => {
    const gvc = gvcScenario({ lima: ready(1), oslo: 'unreadable' });

    expect(outcomes(gvc.poll({ lima: stale(1), oslo: broken(1, no) }))).toEqual([
      'cart/1/stale in lima',
    ]);
    expect(outcomes(gvc.poll({ lima: ready(1), oslo: ready(1) }))).toEqual([
      'cart/1/recovered in lima, oslo',
    ]);
  });

  it('is so at a version that no other location has', () => {
    const gvc = gvcScenario({ lima: ready(1), oslo: 'unreadable' });

    expect(gvc.poll({ oslo: ready(2) })).toEqual([]);
    expect(outcomes(gvc.poll({ lima: ready(2) }))).toEqual(['cart/2/ready in lima, oslo']);
  });

  it('is so with executions that ended badly', () => {
    const gvc = gvcScenario({ 'web/lima': ready(1), 'tidy/lima': 'unreadable' });
    const executions = [{ name: 'tidy-1', status: 'failed' }];
    gvc.poll({ 'tidy/lima': cron(1, { jobExecutions: executions }) });
    expect(gvc.news()).toEqual([]);

    const later = [...executions, { name: 'tidy-2', status: 'failed' }];
    gvc.poll({ 'tidy/lima': cron(1, { jobExecutions: later }) });
    expect(gvc.news()).toEqual(['tidy/@job/lima/tidy-2/failed']);
  });

  it('opens no incident of its location', () => {
    const all = (status: Listed): Listing =>
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/lima`, status]));
    const gvc = gvcScenario({ 'web/lima': ready(1), ...all('unreadable') });
    gvc.poll(all(stale(1)));

    expect(gvc.news()).toEqual([]);
  });

  it('that came to be unlisted is as new as any other', () => {
    const gvc = gvcScenario({ 'web/lima': ready(1), 'cart/lima': 'unreadable' });
    gvc.poll({ 'cart/lima': 'absent' });

    expect(gvc.poll({ 'cart/lima': rolling(1) })).toEqual(['open cart/1/card']);
  });
});

describe('a crash loop', () => {
  it('that goes on where a location is adopted at another version is known', () => {
    const restarts = (count: number): Json =>
      ready(1, {
        versions: [version(1, { containers: { main: container({ restarts: { count } }) } })],
      });
    const gvc = gvcScenario({ lima: restarts(0), oslo: ready(1) });
    gvc.poll({ oslo: ready(2) });
    for (const count of [1, 2, 3]) gvc.poll({ lima: restarts(count) });
    // Who was ahead leaves: the rollout is again the one that lima is at.
    gvc.poll({ oslo: 'absent' });
    gvc.poll();
    const versions = restarts(3)['versions'];

    expect(outcomes(gvc.poll({ lima: broken(1, '', { message: no, versions }) }))).toEqual([
      'cart/1/unhealthy in lima',
    ]);
  });
});

describe('a list with items that do not say who they are', () => {
  it('proves again that a record is gone when there have been as many for ten minutes', () => {
    const gvc = gvcScenario({ lima: ready(1), oslo: ready(1) });
    const odd = { unidentified: 1 };
    gvc.poll({}, odd);
    gvc.poll({ oslo: 'absent' }, { ...odd, after: 10 * MINUTE - 1 });
    expect(gvc.state().records['cart/oslo']).toMatchObject({ missing: 0 });

    gvc.poll({}, { ...odd, after: 1 });
    gvc.poll({}, odd);
    expect(gvc.state().records['cart/oslo']?.state).toBe('gone');
  });

  it('proves nothing for ten minutes after their number has changed', () => {
    const gvc = gvcScenario({ lima: ready(1), oslo: ready(1) });
    gvc.poll({}, { unidentified: 1 });
    gvc.poll({ oslo: 'absent' }, { unidentified: 2, after: 10 * MINUTE });
    gvc.poll({}, { unidentified: 2, after: 9 * MINUTE });

    expect(gvc.state().records['cart/oslo']?.state).toBe('ready');
  });
});
