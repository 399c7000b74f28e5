import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSlackHarness } from '../harness.ts';

let harness: Awaited<ReturnType<typeof createSlackHarness>>;

beforeAll(async () => {
  harness = await createSlackHarness({});
});
afterAll(() => harness.close());

describe('what a button stands for', () => {
  it('is kept for one person, under an id that cannot be guessed', async () => {
    const thing = { query: 'last month', page: 2 };

    const id = (await harness.interactions.put('U0ADA', thing)) ?? '';
    const other = await harness.interactions.put('U0ADA', thing);

    expect(await harness.interactions.get('U0ADA', id)).toEqual(thing);
    expect(await harness.interactions.get('U0BEN', id)).toBeUndefined();
    expect(await harness.interactions.get('U0ADA', 'made-up')).toBeUndefined();
    expect(other).not.toBe(id);
  });

  it('is not kept while the store is away: putting says so, and asking fails', async () => {
    const id = (await harness.interactions.put('U0ADA', 1)) ?? '';
    await harness.loseStore();

    expect(await harness.interactions.put('U0ADA', 2)).toBeUndefined();
    expect(harness.lines()).toContain('What a button stands for was not kept');
    await expect(harness.interactions.get('U0ADA', id)).rejects.toThrow(/close|writeable/);
  });
});
