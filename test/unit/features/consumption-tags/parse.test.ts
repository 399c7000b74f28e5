import { describe, expect, it } from 'vitest';

import { parseTags } from '../../../../src/features/consumption/tags-parse.ts';
import { Unreadable } from '../../../../src/lib/refusal.ts';
import { wordsOf } from './support.ts';

function refused(line: string): Unreadable {
  try {
    parseTags(wordsOf(line), '/usage');
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
  throw new Error(`${line} was read`);
}

describe('tags TAG [query]', () => {
  it('reads a tag in any spelling, and a query after it', () => {
    const { tag, query } = parseTags(
      wordsOf('PERFORMANCECLASS last month of cpu where gvc=shop org acme'),
      '/usage',
    );

    expect(tag).toBe('performanceClass');
    expect(query).toMatchObject({
      range: 'last month',
      of: ['cpu'],
      where: { gvc: 'shop' },
      orgs: ['acme'],
    });
  });

  it('knows the tag org from the word org', () => {
    expect(parseTags(wordsOf('org org acme'), '/usage')).toMatchObject({
      tag: 'org',
      query: { orgs: ['acme'] },
    });
  });

  it('takes any tag in quotes', () => {
    expect(parseTags(wordsOf('"Team" today'), '/usage')).toMatchObject({ tag: 'Team' });
  });

  it.each(['', 'last month', 'where gvc=shop', '""', '2026-10'])('asks for a tag: %s', (line) => {
    expect(refused(line).message).toMatch(/^After "tags" comes a tag: org, gvc, workload, /);
  });

  it.each([
    ['worklod last month', '/usage tags workload last month'],
    ['Team', '/usage tags "Team"'],
    ['gvc lst month', '/usage tags gvc last month'],
    ['gvc last month by org', '/usage tags gvc last month'],
    ['gvc step day where gvc=a', '/usage tags gvc this month where gvc=a'],
    ['"Team" by org', '/usage tags "Team" this month'],
    ['gvc last month item cpu org acme', '/usage tags gvc last month org acme'],
    ["'gvc' 'last month'", '/usage tags gvc last month'],
  ])('suggests the whole command: %s', (line, suggestion) => {
    expect(refused(line).suggestion).toBe(suggestion);
  });

  it('says that grouping and steps make no sense here', () => {
    expect(refused('gvc by org').message).toBe(
      '"by" makes no sense for the values of a tag: leave it out.',
    );
    expect(refused('gvc step day').message).toMatch(/^"step" makes no sense/);
  });

  it('says that values are not asked for by chargeable item', () => {
    expect(refused('gvc item cpu').message).toBe(
      'The values of a tag cannot be asked for by chargeable item: leave "item" out.',
    );
  });
});
