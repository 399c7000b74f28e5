import { randomUUID } from 'node:crypto';
import type { KnownBlock } from '@slack/types';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/features/doctor/probe.ts';
import { doctorAnswer } from '../../../../src/features/doctor/view.ts';
import { actions, button } from '../../../../src/slack/kit/blocks.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { readingOf } from './support.ts';
import { spoken } from '../../../support/answer.ts';

const broken = (what: string, says: string, fix: string): Finding => ({
  what,
  state: 'broken',
  says,
  fix,
});
const AT = Date.UTC(2026, 10, 21, 9);
const show = (...areas: [string, Finding[]][]) =>
  doctorAnswer({
    areas: areas.map(([area, findings]) => ({ area, findings })),
    at: AT,
    tookMs: 1_200,
  });

const SHARE = button({
  action: 'share',
  text: 'Share',
  confirm: { title: 'Share?', question: 'z'.repeat(300), yes: 'Share', no: 'Cancel' },
});

function longestSection(blocks: readonly KnownBlock[]): number {
  return Math.max(
    0,
    ...blocks.map((block) => (block.type === 'section' ? (block.text?.text.length ?? 0) : 0)),
  );
}

function charactersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [key, member]) =>
      sum + (key === 'text' && typeof member === 'string' ? member.length : charactersIn(member)),
    0,
  );
}

describe('the answer of the doctor', () => {
  it('may be shared by a billing_admin, after a question', () => {
    expect(show(['Slack', []])).toMatchObject({
      needs: 'billing_admin',
      shareable: { question: expect.stringContaining('Everyone') },
    });
  });

  it('writes foreign text inert', () => {
    const reading = readingOf(show(['Channels', [broken('#<!channel>', 'a *b* <@U1>', '`x`')]]));
    expect(reading).not.toContain('<!channel>');
    expect(reading).not.toContain('<@U1>');
  });

  it("stays within Slack's limits, footer and buttons included, however much there is", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 600, unit: 'grapheme' }),
      fc.integer({ min: 1, max: 600 }).map((length) => '&'.repeat(length)),
    );
    const anyFinding = fc.record({
      what: text,
      says: text,
      fix: text,
      state: fc.constantFrom('well', 'doubtful', 'broken', 'off'),
    }) as fc.Arbitrary<Finding>;
    const areas = fc.array(
      fc.record({ area: text, findings: fc.array(anyFinding, { maxLength: 60 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(areas, (all) => {
        const answer = doctorAnswer({ areas: all, at: AT, tookMs: 10 });
        const shown = layOut(answer.blocks, randomUUID(), [actions(SHARE)]);
        const reading = readingOf({ ...answer, blocks: shown });
        expect(charactersIn(shown)).toBeLessThanOrEqual(LIMITS.messageCharacters);
        expect(shown.length).toBeLessThanOrEqual(LIMITS.messageBlocks);
        expect(spoken(answer).length).toBeLessThanOrEqual(LIMITS.messageText);
        expect(longestSection(shown)).toBeLessThan(LIMITS.sectionText);
        expect(reading).toContain('Checked at');
        expect(reading).not.toContain('no room here');
      }),
      { numRuns: 60 },
    );
  });

  it('shows all troubles and few that are off, and opens all findings', () => {
    const many = (state: Finding['state'], count: number, length: number) =>
      Array.from({ length: count }, (_, index) => ({
        what: `${state} ${index}`,
        state,
        says: 'x'.repeat(length),
        fix: 'y'.repeat(length),
      }));
    const long = show(['A', [...many('broken', 90, 10), ...many('well', 2, 10)]]);
    const longer = show(['A', many('broken', 90, 240)]);

    expect(JSON.stringify(long.blocks)).toContain('broken 89*');
    expect(JSON.stringify(longer.blocks)).toMatch(/… and \d+ more/);
    expect(longer.rest?.button).toBe('Show all (90)');
    expect(JSON.stringify(longer.rest?.blocks)).toContain('broken 89*');

    const off = show(['A', many('off', 4, 10)]);
    expect(JSON.stringify(off.blocks)).toContain('4 things off: off 0, off 1, off 2 and off 3');
    expect(JSON.stringify(off.rest?.blocks)).toContain('A: off 3 – xxxxxxxxxx\\n→ yyyyyyyyyy');
    expect(show(['A', many('off', 3, 10)]).rest).toBeUndefined();
  });
});
