import { expect, it } from 'vitest';
import { apiMessage } from '../../../../src/rollouts/render/operators.ts';
import type { ApiNotice } from '../../../../src/rollouts/watch/operators.ts';

const textOf = (notice: Partial<ApiNotice>): string[] => {
  const base = { kind: 'api', what: 'unreadable', n: 1, since: 0, records: 3 } as const;
  const whole: ApiNotice = { ...base, ...notice };
  return apiMessage({ org: 'acme', gvc: 'shop' }, whole, 60_000).text.split('\n');
};

it.each([
  [1, 'You get no alerts for it.'],
  [3, 'You get no alerts for them.'],
  [0, 'You get no alerts for them.'],
])(
  'a list with %i unreadable records posts no alerts, which the operators read',
  (records, alerts) => {
    const [, ...rest] = textOf({ records });
    expect(rest).toEqual([alerts, expect.stringMatching(/^Next: If this lasts, ask your Purser/)]);
  },
);

it('a list that can be read again, or is read too seldom, is one line', () => {
  expect(textOf({ over: true })).toHaveLength(1);
  expect(textOf({ what: 'slow' })).toHaveLength(1);
});
