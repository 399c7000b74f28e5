import { describe, expect, it } from 'vitest';
import { broken, MINUTE, ready, rolling, stale, suspended } from '../platform-json.ts';
import { rolloutScenario, type RolloutScenario } from './rollout-scenario.ts';

const sick = broken(12, 'probe failed');
const well = ready(12);

/** A workload that was told sick, well and sick again, and is well now: the fourth change. */
function flapping(): RolloutScenario {
  const cart = rolloutScenario({ lima: well, oslo: well });
  for (const lima of [sick, well, sick, well]) cart.poll({ lima });
  return cart;
}

describe('a workload that flaps', () => {
  it('is told three times; the fourth change within ten minutes says that it flaps', () => {
    const cart = rolloutScenario({ lima: well });

    expect(cart.poll({ lima: sick })).toEqual(['unhealthy in lima']);
    expect(cart.poll({ lima: well })).toEqual(['recovered in lima']);
    expect(cart.poll({ lima: sick }, { after: 4 * MINUTE })).toEqual(['unhealthy/2 in lima']);
    expect(cart.poll({ lima: well }, { after: 5 * MINUTE })).toEqual([
      'flapping in lima for recovered/2',
    ]);
    expect(cart.polls(3)).toEqual([]);
  });

  it('does not flap when the four changes take longer', () => {
    const cart = rolloutScenario({ lima: well });
    for (const lima of [sick, well]) cart.poll({ lima });
    cart.poll({ lima: sick }, { after: 5 * MINUTE });

    expect(cart.poll({ lima: well }, { after: 5 * MINUTE + 1 })).toEqual(['recovered/2 in lima']);
  });

  it('does not flap because of a rollout that came to its end just before', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: rolling(12) });

    expect(cart.poll({ lima: well })).toEqual(['ready in lima']);
    for (const lima of [sick, well]) cart.poll({ lima });
    expect(cart.poll({ lima: sick })).toEqual(['unhealthy/2 in lima']);
  });

  it('does not flap because of what the rollout went through before it was ready once', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: broken(12, 'no such image') });
    expect(cart.poll({ lima: well })).toEqual(['ready in lima']);

    cart.poll({ lima: sick });
    expect(cart.poll({ lima: well })).toEqual(['recovered in lima']);
    expect(cart.poll({ lima: sick })).toEqual(['unhealthy/2 in lima']);
    expect(cart.poll({ lima: well })).toEqual(['flapping in lima for recovered/2']);
  });

  it('each later outcome uses its number up and goes into what the message stands for', () => {
    const cart = flapping();

    expect(cart.poll({ lima: sick })).toEqual(['flapping in lima for recovered/2 unhealthy/3']);
    expect(cart.poll({ oslo: sick })).toEqual([]);
    expect(cart.poll({ oslo: stale(12) })).toEqual([
      'flapping in lima, oslo for recovered/2 unhealthy/3 stale',
    ]);
    expect(cart.poll({ lima: suspended(12) })).toEqual([
      'flapping in lima, oslo for recovered/2 unhealthy/3 stale suspended',
    ]);
  });

  it('keeps the last hundred of them', () => {
    const cart = flapping();
    for (let turn = 0; turn < 60; turn += 1) for (const lima of [sick, well]) cart.poll({ lima });
    const [told = ''] = cart.poll({ lima: sick });

    expect(told.split(' for ')[1]?.split(' ')).toHaveLength(100);
    expect(told).toMatch(/ recovered\/62 unhealthy\/63$/);
  });

  it('what was said by itself before goes on being edited', () => {
    const cart = rolloutScenario({ lima: well, oslo: well });
    cart.poll({ lima: sick });
    expect(cart.poll({ lima: suspended(12) })).toEqual(['recovered in oslo', 'suspended in lima']);
    cart.poll({ lima: rolling(12) });
    cart.poll({ oslo: stale(12) });
    cart.poll({ lima: suspended(12), oslo: well });

    expect(cart.rollout().flapping).not.toBeNull();
    expect(cart.poll({ oslo: suspended(12) })).toEqual(['suspended in lima, oslo']);
  });
});

describe('after ten minutes without a change', () => {
  it('the message says how it settled, and what holds is told once under its next number', () => {
    const cart = flapping();

    expect(cart.poll({}, { after: 10 * MINUTE - 1 })).toEqual([]);
    expect(cart.poll({}, { after: 1 })).toEqual([
      'flapping in lima for recovered/2: ready',
      'recovered/3 in lima',
    ]);
    expect(cart.polls(3)).toEqual([]);
    expect(cart.poll({ lima: sick })).toEqual(['unhealthy/3 in lima']);
  });

  it('counts from the last change: an edit, or news of the thread, does not put the end off', () => {
    const cart = flapping();
    cart.poll({ lima: sick });
    cart.poll({ oslo: sick }, { after: 4 * MINUTE });
    cart.poll({ oslo: suspended(12) }, { after: 4 * MINUTE });

    expect(cart.poll({}, { after: 2 * MINUTE })).toEqual([
      'flapping in lima, oslo for recovered/2 unhealthy/3 suspended: unhealthy',
      'unhealthy/4 in lima',
    ]);
  });

  it('trouble that holds is told, and so is its end', () => {
    const cart = flapping();
    cart.poll({ lima: sick, oslo: stale(12) });

    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual([
      'flapping in lima, oslo for recovered/2 unhealthy/3 stale: unhealthy',
      'unhealthy/4 in lima',
      'stale/2 in oslo',
    ]);
    expect(cart.poll({ lima: well, oslo: well })).toEqual(['recovered/3 in lima, oslo']);
  });

  it('what is on its way has nothing to tell until it is there', () => {
    const cart = flapping();
    cart.poll({ lima: sick });
    cart.poll({ lima: rolling(12) });

    expect(cart.poll({}, { after: 10 * MINUTE })[0]).toMatch(/: deploying$/);
    expect(cart.poll({ lima: sick })).toEqual(['unhealthy/4 in lima']);
    expect(cart.poll({ lima: well })).toEqual(['recovered/3 in lima']);
  });

  it('a change in the very poll that ends it is told by itself', () => {
    const cart = flapping();

    expect(cart.poll({ lima: sick }, { after: 10 * MINUTE })).toEqual([
      'flapping in lima for recovered/2: unhealthy',
      'unhealthy/3 in lima',
    ]);
  });

  it('suspended as a whole is said to have settled so, and not to have recovered', () => {
    const cart = flapping();
    cart.poll({ lima: suspended(12), oslo: suspended(12) });

    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual([
      'flapping in lima, oslo for recovered/2 suspended: suspended',
    ]);
  });

  it('flapping again has the next number', () => {
    const cart = flapping();
    cart.poll({}, { after: 10 * MINUTE });
    for (const lima of [sick, well, sick]) cart.poll({ lima });

    expect(cart.poll({ lima: well })).toEqual(['flapping/2 in lima for recovered/5']);
  });

  it('a new version ends it: nothing that flapped before counts', () => {
    const cart = flapping();

    expect(cart.poll({ lima: broken(13, 'no such image') })).toEqual(['failed in lima']);
    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual([]);
  });
});
