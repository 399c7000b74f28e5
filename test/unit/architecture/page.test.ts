import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { measure, topFloor } from '../../architecture/measures.ts';
import {
  drawing,
  filesListed,
  measuresIn,
  PAGE,
  partOf,
  readPage,
  roomTable,
} from '../../architecture/page.ts';
import { readBot, ROOT } from '../../architecture/source.ts';
import { WALKS } from '../../architecture/walk.ts';

const page = readPage();
const files = readBot();

/** As `npm run architecture -- --update` writes it. */
async function written(text: string): Promise<string> {
  const options = await resolveConfig(PAGE);
  return (await format(text, { ...options, parser: 'markdown' })).trim();
}

describe('the page of the architecture', () => {
  it('has the rooms and the arrows of the top floor as they are', async () => {
    expect(partOf(page, 'rooms')).toBe(await written(roomTable(files)));
    expect(partOf(page, 'drawing')).toBe(await written(drawing(topFloor(files))));
  });

  it('has the measures of the house, to the nearest fiftieth', () => {
    const shown = measuresIn(partOf(page, 'measures'));

    for (const { what, value } of measure(files)) {
      const told = shown.get(what) ?? NaN;
      expect(Math.abs(told - value), `${what}: ${value}`).toBeLessThanOrEqual(value / 50);
    }
  });

  it.each(WALKS)('lists files that are there for the walk $name', ({ name }) => {
    const listed = filesListed(partOf(page, `walk ${name}`));

    expect(listed.length).toBeGreaterThan(0);
    expect(listed.filter((path) => !existsSync(join(ROOT, 'src', path)))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

describe('the house', () => {
  it.each(measure(files))('keeps within its measure: $what', ({ value, atMost }) => {
    expect(value).toBeLessThanOrEqual(atMost);
  });
});
