import { describe, expect, it } from 'vitest';
import { broken, DAY, idle, MINUTE, ready, rolling, stale, suspended } from '../platform-json.ts';
import { gvcScenario } from './gvc-scenario.ts';

const no = 'no such image';

describe('the end of a card', () => {
  it('a newer version supersedes one that is open', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12) });

    expect(gvc.poll({ lima: rolling(13) })).toEqual([
      'edit cart/12/card: superseded',
      'open cart/13/card',
    ]);
    expect(gvc.told()[0]).toMatchObject({ version: 12, supersededBy: 13 });
    expect(gvc.poll({ oslo: rolling(13) })).toEqual(['edit cart/13/card']);
  });

  it('a newer version supersedes one that is in trouble, also after it was ready', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });
    gvc.poll({ lima: broken(12, 'probe failed') });

    expect(gvc.poll({ lima: rolling(13) })).toEqual([
      'edit cart/12/card: superseded',
      'open cart/13/card',
    ]);
  });

  it('one that is ready stays as it is', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });

    expect(gvc.poll({ lima: rolling(13) })).toEqual(['open cart/13/card']);
  });

  it('in place with nothing to serve ends it by an edit', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });

    expect(gvc.poll({ lima: idle(12) })).toEqual(['edit cart/12/card: idle']);
    expect(gvc.poll()).toEqual([]);
  });

  it('suspended ends it, too, and is said in its thread', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });

    expect(gvc.poll({ lima: suspended(12) })).toEqual([
      'edit cart/12/card: suspended',
      'cart/12/suspended in lima',
    ]);
    expect(gvc.poll()).toEqual([]);
  });

  it('suspended in one location and scaled to zero in the other is suspended', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });

    expect(gvc.poll({ lima: idle(12), oslo: suspended(12) })).toEqual([
      'edit cart/12/card: suspended',
      'cart/12/suspended in oslo',
    ]);
  });

  it('what was in place without serving is ready once it serves, and that is told', () => {
    const gvc = gvcScenario({ lima: idle(11) });
    gvc.poll({ lima: idle(12) });

    expect(gvc.poll({ lima: rolling(12) })).toEqual(['edit cart/12/card']);
    expect(gvc.poll({ lima: ready(12) })).toEqual([
      'open cart/12/card: ready',
      'cart/12/ready in lima',
    ]);
    expect(gvc.poll({ lima: idle(12) })).toEqual(['edit cart/12/card: idle']);
    expect(gvc.poll({ lima: ready(12) })).toEqual(['edit cart/12/card: ready']);
  });

  it('a workload that is no longer listed ends its card', () => {
    const gvc = gvcScenario({ 'web/lima': ready(3), lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: 'absent' });

    expect(gvc.poll()).toEqual(['edit cart/12/card: gone', 'cart/12/gone in lima']);
    expect(gvc.poll({}, { after: DAY })).toEqual([]);
  });

  it('a version that comes again has a card and outcomes of its own', () => {
    const gvc = gvcScenario({ lima: ready(10) });
    gvc.poll({ lima: broken(11, no) });
    gvc.poll({ lima: rolling(12) });

    expect(gvc.poll({ lima: broken(11, no) })).toEqual([
      'edit cart/12/card: superseded',
      'open cart/11/card/2',
      'cart/11/failed/2 in lima',
    ]);
    expect(gvc.poll({ lima: rolling(12) })).toEqual([
      'edit cart/11/card/2: superseded',
      'open cart/12/card/2',
    ]);
  });

  it('the location that led is gone: what remains was told in its own time', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: 'absent' });

    expect(gvc.poll()).toEqual(['edit cart/12/card: gone']);
    expect(gvc.poll({ lima: rolling(12) })).toEqual([]);
    expect(gvc.poll({ oslo: rolling(12) })).toEqual(['edit cart/12/card']);
  });

  it('numbers of versions long past are forgotten, those of the last twenty are not', () => {
    const gvc = gvcScenario({ lima: ready(1) });
    for (let expected = 2; expected <= 60; expected += 1) gvc.poll({ lima: ready(expected) });

    const { told = {} } = gvc.state().rollouts['cart'] ?? {};
    expect(Object.keys(told)).toHaveLength(40);
    expect(told).toMatchObject({ '41/card': 1, '60/card': 1, '60/ready': 1 });
  });
});

describe('how long a rollout took', () => {
  it('is from its first sight to readiness', () => {
    const gvc = gvcScenario({ lima: idle(11) });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: ready(12) }, { after: 3 * MINUTE });
    const rollout = gvc.told()[0]?.rollout;

    expect(Number(rollout?.readyAt) - Number(rollout?.startedAt)).toBe(3 * MINUTE);
    gvc.poll({ lima: stale(12) }, { after: DAY });
    gvc.poll({ lima: ready(12) });
    expect(gvc.told()[0]?.rollout.readyAt).toBe(rollout?.readyAt);
  });
});
