import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './environment.ts';

it.each(['daily', 'weekly', 'off'] as const)(
  'DIGEST may be %s, at the time that it has anyway',
  (every) => {
    expect(load({ DIGEST: every }).digest).toEqual({ every, time: { hour: 9, minute: 0 } });
  },
);

describe('PACE_STEPS', () => {
  it.each([
    ['80', [80]],
    ['1,1000', [1, 1_000]],
    ['100, 90 ,50,75', [50, 75, 90, 100]],
    ['10,9,8,7,6,5,4,3,2,1', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('are taken as %s, in any order and with spaces', (text, steps) => {
    expect(load({ PACE_STEPS: text }).paceSteps).toEqual(steps);
  });

  it.each([
    ['0,50', 'a step of nothing'],
    ['50,1001', 'a step above 1000'],
    ['50,-75', 'a step below 0'],
    ['50,7.5', 'a part of a per cent'],
    ['50%', 'a sign'],
    ['50,,75', 'a step left out'],
    ['50 75', 'no comma'],
    ['50,75,50', 'the same step twice'],
    ['50,050', 'the same step twice, written in two ways'],
    ['1,2,3,4,5,6,7,8,9,10,11', 'eleven steps'],
  ])('are refused as %s: %s', (steps) => {
    expect(problemsOf({ PACE_STEPS: steps })).toEqual([
      'PACE_STEPS: give up to ten whole percentages from 1 to 1000 between commas, such as 50,75,90,100',
    ]);
  });
});

it('BILLING_CHANNEL is the one channel that does not fall back to NOTIFY_CHANNEL', () => {
  expect(load().channels).toEqual({ notify: 'C0NOTIFY', approvals: 'C0NOTIFY', ops: 'C0NOTIFY' });
  expect(load({ BILLING_CHANNEL: 'C0NOTIFY' }).channels.billing).toBe('C0NOTIFY');
});
