import { describe, expect, it } from 'vitest';
import {
  broken,
  cron,
  DAY,
  idle,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
} from '../platform-json.ts';
import { gvcScenario, outcomes } from './gvc-scenario.ts';

const no = 'no such image';

describe('a rollout that goes well', () => {
  it('opens one card, edits it and ends with one ready', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });

    expect(gvc.poll({ lima: rolling(12) })).toEqual(['open cart/12/card']);
    expect(gvc.poll({ lima: ready(12), oslo: rolling(12) })).toEqual(['edit cart/12/card']);
    expect(gvc.poll()).toEqual([]);
    expect(gvc.poll({ oslo: ready(12) })).toEqual([
      'open cart/12/card: ready',
      'cart/12/ready in lima, oslo',
    ]);
    expect(gvc.poll()).toEqual([]);
  });

  it('waits for a location that the version has not reached, whatever state that one is in', () => {
    const behind = [ready(11), broken(11, no), rolling(11), idle(11)];

    for (const oslo of behind) {
      const gvc = gvcScenario({ lima: ready(11), oslo });
      gvc.poll({ lima: rolling(12) });

      expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual([]);
      expect(gvc.told()[0]?.rows.map((row) => row.state)).toEqual(['ready', 'waiting']);
      expect(gvc.poll({ oslo: ready(12) })).toContain('cart/12/ready in lima, oslo');
    }
  });

  it('does not wait for locations that are suspended, scaled to zero or gone', () => {
    const gvc = gvcScenario({
      lima: ready(11),
      oslo: suspended(11),
      rome: ready(11),
      turin: ready(11),
    });
    gvc.poll({ lima: rolling(12), rome: rolling(12) });
    gvc.poll({ rome: idle(12), turin: 'absent' });
    gvc.poll();

    expect(gvc.poll({ lima: ready(12) })).toContain('cart/12/ready in lima');
  });

  it('is not ready while a location is stale, unknown or diverged', () => {
    for (const oslo of [
      stale(12),
      broken(12, '', { desiredScale: undefined, versions: [] }),
      ready(12, { lastProcessedVersion: 13 }),
    ]) {
      const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
      gvc.poll({ lima: rolling(12), oslo: rolling(12) });

      expect(gvc.poll({ lima: ready(12), oslo }).join()).not.toContain('/ready');
    }
  });

  it('was ready counts, too: it is told when the last location comes and the first has been scaled down', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });
    gvc.poll({ lima: ready(12) });
    gvc.poll({ lima: idle(12) });

    expect(gvc.poll({ oslo: idle(12) })).toContain('cart/12/ready in lima');
  });

  it('a new workload gets a card from its first sight on', () => {
    const gvc = gvcScenario({ lima: ready(11) });

    expect(gvc.poll({ 'web/lima': rolling(1) })).toEqual(['open web/1/card']);
    expect(gvc.poll({ 'web/lima': ready(1) })).toContain('web/1/ready in lima');
  });

  it('a workload that states no version yet has no card until it does', () => {
    const gvc = gvcScenario({ lima: ready(11) });

    expect(gvc.poll({ 'web/lima': undefined })).toEqual([]);
    expect(gvc.poll({ 'web/lima': rolling(1) })).toEqual(['open web/1/card']);
  });

  it('two workloads are two rollouts', () => {
    const gvc = gvcScenario({ 'a/lima': ready(1), 'b/lima': ready(7) });

    expect(gvc.poll({ 'a/lima': rolling(2), 'b/lima': rolling(8) })).toEqual([
      'open a/2/card',
      'open b/8/card',
    ]);
  });
});

describe('what the first poll sees', () => {
  it.each([
    ['ready', ready(12)],
    ['idle', idle(12)],
    ['suspended', suspended(12)],
    ['stale', stale(12)],
  ])('%s counts as announced: being ready is no news', (state, oslo) => {
    const gvc = gvcScenario({ lima: ready(12), oslo });
    const told = outcomes(gvc.poll({ oslo: ready(12) }));

    expect(told).toEqual(state === 'stale' ? ['cart/12/recovered in oslo'] : []);
  });

  it('a cron record beside others does not lead the rollout', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: cron(11) });

    expect(gvc.poll({ oslo: cron(12) })).toEqual([]);
    expect(gvc.state().rollouts['cart']?.version).toBe(11);
  });

  it('trouble that others join has a number for the next time', () => {
    const gvc = gvcScenario({ lima: stale(12), oslo: ready(12) });

    expect(outcomes(gvc.poll({ oslo: stale(12) }))).toEqual(['cart/12/stale in lima, oslo']);
    gvc.poll({ lima: ready(12), oslo: ready(12) });
    expect(outcomes(gvc.poll({ oslo: stale(12) }))).toEqual(['cart/12/stale/2 in oslo']);
  });

  it('a cron workload is no rollout, neither at first sight nor later', () => {
    const gvc = gvcScenario({ lima: cron(3) });

    expect(gvc.poll({ lima: cron(4) })).toEqual([]);
    expect(gvc.poll({ lima: broken(5, no) })).toEqual([]);
    expect(gvc.poll({ 'etl/lima': cron(1, { ready: true }) })).toEqual([]);
  });

  it('the middle of a rollout is taken in silence, its end is told', () => {
    const gvc = gvcScenario({ lima: ready(12), oslo: rolling(12) });

    expect(gvc.poll()).toEqual([]);
    expect(gvc.poll({ oslo: ready(12) })).toEqual([
      'open cart/12/card: ready',
      'cart/12/ready in lima, oslo',
    ]);
  });

  it('a location that goes along after the first poll opens the card', () => {
    const gvc = gvcScenario({
      lima: rolling(12),
      oslo: pending(12, { expectedDeploymentVersion: 11 }),
    });

    expect(gvc.poll({ oslo: rolling(12) })).toEqual(['open cart/12/card']);
    expect(gvc.poll({ lima: ready(12) })).toEqual(['edit cart/12/card']);
  });

  it('a failure is taken in silence; a location that joins it and its end are told', () => {
    const gvc = gvcScenario({ lima: broken(12, no), oslo: rolling(12) });

    expect(gvc.poll()).toEqual([]);
    expect(outcomes(gvc.poll({ oslo: broken(12, no) }))).toEqual(['cart/12/failed in lima, oslo']);
    expect(outcomes(gvc.poll({ lima: ready(12), oslo: ready(12) }))).toEqual([
      'cart/12/ready in lima, oslo',
    ]);
  });

  it('an unready workload without a reason is not told on the second poll', () => {
    const gvc = gvcScenario({ lima: broken(12) });

    expect(gvc.poll()).toEqual([]);
    expect(gvc.poll()).toEqual([]);
  });

  it('sickness after it is told, and opens a card that has nothing to say of its beginning', () => {
    const gvc = gvcScenario({ lima: ready(12) });

    expect(gvc.poll({ lima: broken(12, 'probe failed') })).toEqual([
      'open cart/12/card',
      'cart/12/unhealthy in lima',
    ]);
    expect(gvc.told()[0]?.rollout.startedAt).toBeNull();
    expect(gvc.poll({ lima: ready(12) })).toEqual([
      'open cart/12/card: ready',
      'cart/12/recovered in lima',
    ]);
  });
});

describe('trouble', () => {
  it('failed is told once; a later location edits the same message', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });

    expect(outcomes(gvc.poll({ oslo: broken(12, no) }))).toEqual(['cart/12/failed in oslo']);
    expect(outcomes(gvc.poll())).toEqual([]);
    expect(outcomes(gvc.poll({ lima: broken(12, no) }))).toEqual(['cart/12/failed in lima, oslo']);
    expect(outcomes(gvc.poll({ oslo: rolling(12) }))).toEqual([]);
    expect(outcomes(gvc.poll({ oslo: broken(12, no) }))).toEqual([]);
  });

  it('stale is told as stale, and its end during a rollout is ready', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });

    expect(outcomes(gvc.poll({ lima: stale(12) }))).toEqual(['cart/12/stale in lima']);
    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/ready in lima']);
  });

  it('a stale location at the version before counts as stale', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });

    expect(outcomes(gvc.poll({ lima: rolling(12), oslo: stale(11) }))).toEqual([
      'cart/12/stale in oslo',
    ]);
  });

  it('several kinds in one poll are several messages under one card', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(12) });

    expect(gvc.poll({ lima: broken(12, no), oslo: stale(12), rome: broken(12, 'probe') })).toEqual([
      'open cart/12/card',
      'cart/12/failed in lima',
      'cart/12/unhealthy in rome',
      'cart/12/stale in oslo',
    ]);
  });

  it('a failure that comes right is ready, not recovered', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: broken(12, no) });

    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/ready in lima']);
  });

  it.each([
    ['unhealthy', broken(12, 'probe failed')],
    ['stale', stale(12)],
  ])('%s after ready is recovered from, and each episode has keys of its own', (kind, sick) => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: ready(12) });

    expect(outcomes(gvc.poll({ lima: sick }))).toEqual([`cart/12/${kind} in lima`]);
    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/recovered in lima']);
    const again = outcomes(gvc.poll({ lima: sick }, { after: DAY }));
    expect(again).toEqual([`cart/12/${kind}/2 in lima`]);
    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/recovered/2 in lima']);
  });

  it('an episode ends only when all locations are ready again', () => {
    const gvc = gvcScenario({ lima: ready(12), oslo: ready(12) });
    gvc.poll({ lima: stale(12) });
    gvc.poll({ lima: ready(12), oslo: stale(12) });

    expect(outcomes(gvc.poll({ lima: stale(12) }))).toEqual([]);
    expect(outcomes(gvc.poll({ lima: ready(12), oslo: ready(12) }))).toEqual([
      'cart/12/recovered in lima, oslo',
    ]);
  });

  it('a short deploying after ready is nobody’s business', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });

    expect(outcomes(gvc.poll({ lima: rolling(12) }))).toEqual([]);
    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual([]);
  });

  it('a re-roll by a GVC version that fails is failed, and ready again when it comes right', () => {
    const reroll = broken(12, '', {
      versions: [version(12, { gvc: 5, ready: false, message: no }), version(12)],
    });
    const gvc = gvcScenario({ lima: ready(12) });

    expect(outcomes(gvc.poll({ lima: reroll }))).toEqual(['cart/12/failed in lima']);
    expect(
      outcomes(gvc.poll({ lima: ready(12, { versions: [version(12, { gvc: 5 })] }) })),
    ).toEqual(['cart/12/ready in lima by @gvc/5/ready']);
  });

  it('a new location that fails is told; that it comes right is ready again', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });

    expect(outcomes(gvc.poll({ oslo: rolling(12) }))).toEqual([]);
    expect(outcomes(gvc.poll({ oslo: broken(12, no) }))).toEqual(['cart/12/failed in oslo']);
    expect(outcomes(gvc.poll({ oslo: ready(12) }))).toEqual(['cart/12/ready/2 in lima, oslo']);
  });

  it('a new location of a rollout that is known opens no card', () => {
    const gvc = gvcScenario({ lima: ready(12) });

    expect(gvc.poll({ oslo: rolling(12) })).toEqual(['edit cart/12/card']);
    expect(gvc.poll({ oslo: ready(12) })).toEqual(['edit cart/12/card: ready']);
  });
});
