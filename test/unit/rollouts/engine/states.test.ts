import { expect, it } from 'vitest';
import { stateIs, type RowState } from '../../../../src/rollouts/engine/states.ts';

it('a state that a later release has stored has no traits, and ends no poll', () => {
  const unheardOf = 'paused' as RowState;

  expect(stateIs(unheardOf, 'aside')).toBe(false);
  expect(stateIs('idle', 'aside')).toBe(true);
});
