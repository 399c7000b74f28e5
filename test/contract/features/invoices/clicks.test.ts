import { beforeEach, expect, test } from 'vitest';
import { proseOf, rowsOf } from '../../../support/answer.ts';
import { startInvoices } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;

beforeEach(async () => {
  harness = await startInvoices();
});

/** Twenty invoices, of which a list shows fifteen. */
async function billMore(): Promise<void> {
  for (let day = 0; day < 8; day += 1) {
    await harness.standing.control('invoices/issue', {});
    await harness.standing.advance(86_400);
  }
}

test.each(['list', 'show 1', 'deliveries'])(
  'a page of "%s" beyond the last is the last, and is kept so',
  async (text) => {
    await billMore();
    const first = await harness.type(text);
    for (const [key, state] of harness.kept)
      harness.kept.set(key, { ...(state as object), page: 99 });

    let page = await harness.press(first, 'Next');
    const last = /Page (?<at>\d+) of (?<of>\d+)/.exec(proseOf(page))?.groups;
    expect(last?.['at']).toBe(last?.['of']);
    for (let at = Number(last?.['of']); at > 1; at -= 1)
      page = await harness.press(page, 'Previous');

    expect(rowsOf(page)).toEqual(rowsOf(first));
  },
);

test('the pages of a list are of the same months, also in another month', async () => {
  await billMore();
  const first = await harness.type('list');
  await harness.standing.advance(40 * 86_400);

  const second = await harness.press(first, 'Next');

  const span = 'November 2025 to October 2026';
  expect([first.text, second.text]).toEqual(
    [span, span].map((one) => expect.stringContaining(one)),
  );
});

test('whether an invoice is paid is read anew before anybody pays', async () => {
  const fresh: unknown[] = [];
  const watched = await startInvoices({
    billing: () => ({
      ...harness.client,
      getInvoice: (id, options) => {
        fresh.push(options?.fresh);
        return harness.client.getInvoice(id, options);
      },
    }),
  });

  await watched.type('show 10');
  await watched.type('pay 10');

  expect(fresh).toEqual([false, true]);
});

test('a choice from the list is for those who may see invoices', async () => {
  const [newest] = await harness.written();
  const list = await harness.type('list');
  harness.person.roles = ['org_creator'];

  await expect(harness.choose(list, 'Show an invoice', newest?.id)).rejects.toThrow('not for you');
});

test.each(['list', 'show 1', 'pending', 'deliveries'])(
  '"%s" is shared after a question',
  async (text) => {
    expect((await harness.type(text)).shareable).toEqual({
      question: 'It shows billing data to everyone in this channel.',
    });
  },
);
