import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { readCustomize } from '../../../../src/features/consumption/customize.ts';
import { queryOf } from './support.ts';
import { anyQuery, formOf, hostile, untouched } from './support.ts';

describe('The form of Customize, submitted as it opened', () => {
  it.each([
    '',
    'last month by org,gvc of cpu,memory item egress,"Memory, hosted" where gvc=shop org acme,globex step day',
    '2026-10-01..2026-10-15 where workload=/^web/ locationType=byok gvc=',
    String.raw`yesterday where gvc="my shop" workload=/^(a|b\.c)$/`,
    'today where "__proto__"=shop "constructor"=',
  ])('asks again: %s', (line) => {
    const query = queryOf(line);

    expect(readCustomize(untouched(formOf({ query })), query, ['org'])).toEqual({
      query,
      detailed: false,
    });
  });

  it('keeps more items than a list offers of itself', () => {
    const items = Array.from({ length: 300 }, (_, at) => `item-${at}`);
    const query = { ...queryOf(''), items };

    const read = readCustomize(untouched(formOf({ query, items })), query, ['org']);

    expect(read).toEqual({ query, detailed: false });
  });

  it('gives an equal query, whatever was asked, before and after the values are read', () => {
    const values = fc.constantFrom(undefined, 'unread' as const, ['', 'shop', '(none)']);
    const choices = fc.oneof(values, fc.array(hostile, { maxLength: 20 }));
    fc.assert(
      fc.property(anyQuery, choices, choices, fc.boolean(), (query, orgs, gvc, detailed) => {
        const form = formOf({ query, detailed, orgs, items: gvc, values: { gvc, workload: gvc } });
        const read = readCustomize(untouched(form), query, ['org']);
        expect(read).toEqual({ query, detailed });
      }),
      { numRuns: 500 },
    );
  });
});
