import { describe, expect, it } from 'vitest';
import type { Content } from '../../../../src/rollouts/messages/view-parts.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { gvcScenario, type GvcScenario, type Listing } from '../engine/gvc-scenario.ts';
import { broken, ready, rolling, type Json } from '../platform-json.ts';
import { card, outcome, read } from './scenario.ts';

describe('what Slack would refuse', () => {
  const long = (name: string): string => name.repeat(300).slice(0, 300);

  function crowd(status: (index: number) => Json): GvcScenario {
    const name = (index: number): string => `${long('w')}/${index}${long('o')}`;
    const of = (statuses: (index: number) => Json): Listing =>
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [name(index), statuses(index)]));
    const gvc = gvcScenario(of(() => ready(11)));
    gvc.poll(of(status));
    return gvc;
  }

  function expectToFit({ text, blocks }: Content): void {
    const sections = blocks.flatMap((block) =>
      block.type === 'section' ? [block.text?.text.length ?? 0] : [],
    );
    const tables = blocks.flatMap((block) => (block.type === 'table' ? [block.rows] : []));
    const cells = tables.flat(2).map((cell) => ('text' in cell ? cell.text.length : 0));
    const others = blocks.filter(({ type }) => type !== 'table' && type !== 'actions');

    expect(text.length).toBeLessThanOrEqual(LIMITS.messageText);
    expect(blocks.length).toBeLessThanOrEqual(LIMITS.messageBlocks);
    expect(tables.length).toBeLessThanOrEqual(1);
    expect(tables.flat().length).toBeLessThanOrEqual(LIMITS.tableRows);
    expect(Math.max(...sections)).toBeLessThanOrEqual(LIMITS.sectionText);
    expect(cells.filter((length) => length === 0)).toEqual([]);
    expect(cells.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(
      LIMITS.tableCharacters,
    );
    expect(JSON.stringify(others).length).toBeLessThan(7_000);
  }

  it('is not sent: a hundred locations, long names, a long message in each', () => {
    const gvc = crowd((index) => broken(12, `${index} ${long('& ')}`));
    const place = { org: long('a'), gvc: long('s') };

    expectToFit(card(gvc, place));
    expectToFit(outcome(gvc, place));
    expect(read(card(gvc, place)).join('\n')).toMatch(/\n94 more: 94 failed\n[^]*\n… and 97 more$/);
  });

  it('is not sent: one cause for a hundred locations names some, counts the rest and is whole', () => {
    const gvc = crowd(() => broken(12, 'no such image'));

    expectToFit(card(gvc));
    expect(read(card(gvc)).at(-1)).toMatch(/^\*0o.* and 95 more\*: `no such image`$/);
    // Of the outcome the title says where.
    expect(read(outcome(gvc))[0]).toMatch(/ failed in all 100 locations · nothing serves$/);
    expect(read(outcome(gvc))[1]).toBe('`no such image`');
  });

  it('is not sent: of a long table the worst rows are shown, the rest is counted', () => {
    const gvc = crowd((index) => (index === 77 ? broken(12, 'no such image') : ready(12)));
    const lines = read(card(gvc));

    expectToFit(card(gvc));
    expect(lines.find((text) => text.startsWith('77o'))).toContain('failed');
    expect(lines.filter((text) => text.endsWith(' | ready | 2/2 | –'))).toHaveLength(5);
    expect(lines).toContain('94 more: 94 ready');
    expect(outcome(gvc).text).toMatch(/ in 77o+…o+ · 198 of 200 replicas ready: `no such image`$/);
  });
});

describe('names that are not names', () => {
  const hostile = '<!channel> `x` *y* \u202Egnp.exe & __proto__';

  it('arrive as text: no mention, no turned writing, no code that ends too early', () => {
    const place = { org: hostile, gvc: hostile };
    // One with blanks is never read.
    const name = hostile.replaceAll(' ', '-');
    const gvc = gvcScenario({ [`${name}/${name}`]: ready(11) });
    gvc.poll({ [`${name}/${name}`]: broken(12, hostile) });

    for (const { text, blocks } of [card(gvc, place), outcome(gvc, place)]) {
      const seen = blocks.filter(({ type }) => type !== 'table' && type !== 'actions');
      // The id of a block carries the place of its menu, and nobody reads it.
      const sent = JSON.stringify({ text, blocks: seen }, (key, value: unknown) =>
        key === 'block_id' ? undefined : value,
      );
      expect(sent.replaceAll(/<!date\^[^>]*>/g, '')).not.toMatch(/[<>]/);
      expect(sent).not.toContain('\u202E');
      expect(sent).toContain('&lt;!channel&gt;');
    }
    const quoted = read(outcome(gvc, place))[1];
    expect(quoted).toBe('`&lt;!channel&gt; ˋxˋ *y* gnp.exe &amp; __proto__`');
  });

  it('a location called __proto__ has its row', () => {
    const gvc = gvcScenario({ 'cart/__proto__': ready(11), lima: ready(11) });
    gvc.poll({ 'cart/__proto__': rolling(12), lima: rolling(12) });

    expect(read(card(gvc))).toContain('__proto__ | deploying | 0/2 | v11 2/2');
  });
});
