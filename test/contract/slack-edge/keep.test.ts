import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCounter } from './counter.ts';

let counter: Awaited<ReturnType<typeof openCounter>>;

beforeAll(async () => {
  counter = await openCounter({});
});
afterAll(() => counter.close());

describe('what a button stands for', () => {
  it('is kept for one person, under an id that cannot be guessed', async () => {
    const thing = { query: 'last month', page: 2 };

    const id = (await counter.keep.put('U0ADA', thing)) ?? '';
    const other = await counter.keep.put('U0ADA', thing);

    expect(await counter.keep.get('U0ADA', id)).toEqual(thing);
    expect(await counter.keep.get('U0BEN', id)).toBeUndefined();
    expect(await counter.keep.get('U0ADA', 'made-up')).toBeUndefined();
    expect(other).not.toBe(id);
  });

  it('is not kept while the store is away: putting says so, and asking fails', async () => {
    const id = (await counter.keep.put('U0ADA', 1)) ?? '';
    await counter.loseStore();

    expect(await counter.keep.put('U0ADA', 2)).toBeUndefined();
    expect(counter.lines()).toContain('What a button stands for was not kept');
    await expect(counter.keep.get('U0ADA', id)).rejects.toThrow(/close|writeable/);
  });
});
