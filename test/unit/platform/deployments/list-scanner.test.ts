import { describe, expect, it } from 'vitest';
import type {
  DeploymentList,
  ScannedList,
} from '../../../../src/platform/deployments/deployment.ts';
import {
  createListScanner,
  readPage,
  type ListTexts,
} from '../../../../src/platform/deployments/client.ts';
import * as fc from '../../../support/fast-check.ts';

function item(workload: string, location = 'aws-eu', status: object = { ready: true }): object {
  const links = [{ rel: 'workload', href: `/org/acme/gvc/shop/workload/${workload}` }];
  return { name: location, links, status };
}

/** What every list of items looks like, with the lists before it in mind. */
function look(
  text: string,
  last?: ListTexts,
): { list: ScannedList; last: ListTexts; next?: string } {
  const looker = createListScanner(last);
  const next = looker.scan(Buffer.from(text));
  return { list: looker.list, last: looker.texts(), ...(next === undefined ? {} : { next }) };
}

const page = (...items: unknown[]): string => JSON.stringify({ kind: 'list', items, links: [] });

/** Which of the items are the very objects of the list before. */
function kept(before: ScannedList, after: ScannedList): string[] {
  return after.listed.filter((one) => before.listed.includes(one)).map(({ key }) => key);
}

describe('a list that is looked at again', () => {
  const first = look(page(item('api'), item('cart'), item('web')));

  it('keeps what says the same, byte by byte', () => {
    const again = look(page(item('api'), item('cart'), item('web')), first.last);

    expect(kept(first.list, again.list)).toEqual(['api/aws-eu', 'cart/aws-eu', 'web/aws-eu']);
  });

  it('reads what says something else, and keeps what comes after it', () => {
    const changed = item('cart', 'aws-eu', { ready: false, message: 'of another length' });
    const again = look(page(item('api'), changed, item('web')), first.last);

    expect(kept(first.list, again.list)).toEqual(['api/aws-eu', 'web/aws-eu']);
    expect(again.list.listed[1]?.read()).toMatchObject({ workload: 'cart', ready: false });
    expect(again.list.listed[1]?.print).not.toBe(first.list.listed[1]?.print);
  });

  it('finds its place again behind what is new and what is gone', () => {
    const more = look(page(item('api'), item('batch'), item('cart'), item('web')), first.last);
    expect(kept(first.list, more.list)).toEqual(['api/aws-eu', 'cart/aws-eu', 'web/aws-eu']);

    const fewer = look(page(item('cart'), item('web')), first.last);
    expect(fewer.list.listed.map(({ key }) => key)).toEqual(['cart/aws-eu', 'web/aws-eu']);
    expect(kept(first.list, fewer.list)).toEqual(['web/aws-eu']);
  });

  it('is held against the list over all its pages', () => {
    const [one, two] = [page(item('api'), item('cart')), page(item('web'), {}, 'odd')];
    const before = createListScanner();
    for (const text of [one, two]) before.scan(Buffer.from(text));

    const after = createListScanner(before.texts());
    for (const text of [page(item('api')), page(item('cart'), item('web'), 'odd')]) {
      after.scan(Buffer.from(text));
    }

    expect(kept(before.list, after.list)).toEqual(['api/aws-eu', 'cart/aws-eu', 'web/aws-eu']);
    expect(after.list.unidentified).toBe(1);
  });

  it.each([
    ['a byte order mark', `\uFEFF${page(item('api'))}`],
    ['quotes and brackets', page(item('api', 'aws', { message: 'half a " quote]}' }))],
    ['blanks', JSON.stringify({ kind: 'list', items: [item('api')], links: [] }, null, 2)],
  ])('keeps the items of a page with %s', (_, text) => {
    const before = look(text);

    expect(kept(before.list, look(text, before.last).list)).toHaveLength(1);
    expect(before.last.size).toBeGreaterThan(text.length / 2);
  });

  it('does not keep the whole page for the sake of an item', () => {
    const { items } = look(page(item('api'), 'x'.repeat(100_000))).last;

    expect(items[0]?.text.buffer.byteLength).toBe(items[0]?.text.length);
  });

  it('gives nothing for the next time of a text that has to be parsed as a whole', () => {
    const odd = look(page(item('api')).replace('"items"', String.raw`"item\u0073"`), first.last);

    expect(odd.list.listed.map(({ key }) => key)).toEqual(['api/aws-eu']);
    expect(odd.last).toEqual({ items: [], size: 0 });
  });
});

const status = fc.record({
  ready: fc.constantFrom(true, false, 'yes'),
  message: fc.constantFrom('', 'ends, "so"]}', '\\', 'größer 🚀', '[{'),
});
const anyItem = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.constantFrom('api', 'web'), fc.constantFrom('aws', 'gcp'), status)
      .map((of) => item(...of)),
    weight: 5,
  },
  {
    arbitrary: fc.constantFrom<unknown>(null, {}, [], 3, true, 'a, ]b"', { name: 'aws' }, [
      [1, 2],
      '}',
    ]),
    weight: 1,
  },
);
const anyPage = fc
  .record({
    items: fc.array(anyItem, { maxLength: 6 }),
    before: fc.constantFrom(
      {},
      { kind: 'list' },
      { a: ['items', { items: [1] }], 'b"': '"items":[' },
    ),
    after: fc.constantFrom(
      {},
      { links: [{ rel: 'next', href: '/more' }] },
      { itemKind: 'deployment' },
    ),
    indent: fc.constantFrom(0, 1, '\t', ' \r\n '),
  })
  .map(({ items, before, after, indent }) =>
    JSON.stringify({ ...before, items, ...after }, null, indent),
  );
/** A text with one place of it changed. */
const brokenPage = fc
  .tuple(
    anyPage,
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom(
      '',
      ' ',
      ',',
      '"',
      ']',
      '}',
      '{',
      '[',
      ':',
      '\\',
      '1',
      ',"items":[],',
      ',"items":3',
      ',"items":true',
    ),
  )
  .map(([text, place, cut, put]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + put + text.slice(at + cut);
  });
const anyText = fc.oneof({ arbitrary: anyPage, weight: 3 }, { arbitrary: brokenPage, weight: 2 });

/** What reading it in full comes to. */
function fully(text: string): unknown {
  try {
    const list: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
    // As it comes over the wire, where half an emoji is none.
    const next = readPage(JSON.parse(Buffer.from(text).toString()), undefined, list);
    return { ...list, next };
  } catch {
    return 'refused';
  }
}

function atALook(text: string, last: ListTexts | undefined): { said: unknown; last?: ListTexts } {
  try {
    const { list, next, last: seen } = look(text, last);
    const { listed: found, ...rest } = list;
    return { said: { deployments: found.map((one) => one.read()), ...rest, next }, last: seen };
  } catch {
    return { said: 'refused' };
  }
}

it('says of every text what reading it in full says, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
      let last: ListTexts | undefined;
      for (const text of texts) {
        const now = atALook(text, last);
        expect(now.said).toEqual(fully(text));
        last = now.last ?? last;
      }
    }),
    { numRuns: 2_000 },
  );
});
