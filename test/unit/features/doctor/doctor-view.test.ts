import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/features/doctor/check.ts';
import { doctorAnswer } from '../../../../src/features/doctor/doctor-view.ts';
import { broken, doubtful, off, well } from '../../../../src/features/doctor/findings.ts';
import { LIMITS } from '../../../../src/slack/kit/index.ts';
import { layOut } from '../../../../src/slack/layout.ts';
import { readingOf } from './story.ts';

const AT = Date.UTC(2026, 10, 21, 9);
const show = (...areas: [string, Finding[]][]) =>
  doctorAnswer({
    areas: areas.map(([area, findings]) => ({ area, findings })),
    at: AT,
    tookMs: 1_200,
  });

function charactersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [key, member]) =>
      sum + (key === 'text' && typeof member === 'string' ? member.length : charactersIn(member)),
    0,
  );
}

describe('the answer of the doctor', () => {
  it('says that all is well, with one line for each area', () => {
    const answer = show(
      ['Slack', [well('Scopes', 'all 13 are there'), well('Connection', 'HTTP')]],
      ['Redis', [well('Server', '7.2'), off('Cluster', 'no')]],
    );

    expect(answer.text).toBe('Purser is well: 3 checks, 1 thing off');
    expect(readingOf(answer)).toContain('*Slack* – Scopes: all 13 are there · Connection: HTTP');
    expect(readingOf(answer)).toContain('Redis: Cluster – no');
    expect(readingOf(answer)).toContain('took 1 s');
  });

  it('says once what is well in the same way', () => {
    const there = ['#a', '#b', '#c'].map((what) => well(what, 'there'));
    const reading = readingOf(
      show(['Channels', [...there, well('#d', 'there, too')]], ['Clock', [well('Clock', 'right')]]),
    );

    expect(reading).toContain('*Channels* – #a, #b, #c: there · #d: there, too');
    expect(reading).toContain('*Clock* – right');
  });

  it('begins with what is broken, then doubtful, each with its fix', () => {
    const answer = show(
      ['Redis', [doubtful('Append-only file', 'AOF is off', 'turn it on'), well('Server', '7.2')]],
      ['Slack', [broken('SLACK_BOT_TOKEN', 'Slack refuses it', 'put the right one there')]],
      ['Channels', [broken('#ops (OPS_CHANNEL)', 'it is archived', 'unarchive it')]],
    );
    const reading = readingOf(answer);

    expect(answer.text).toContain('2 things are broken, 1 is doubtful; 1 of 4 checks well');
    expect(answer.text).toContain('SLACK_BOT_TOKEN: Slack refuses it');
    expect(reading).toContain('→ put the right one there');
    const places = ['Slack refuses it', 'it is archived', 'AOF is off', 'Server: 7.2'];
    const found = places.map((text) => reading.indexOf(text));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found).not.toContain(-1);
  });

  it.each([
    [[doubtful('a', 'b', 'c')], '1 thing is doubtful; 0 of 1 check well'],
    [[broken('a', 'b', 'c')], '1 thing is broken; 0 of 1 check well'],
    [
      [doubtful('a', 'b', 'c'), doubtful('d', 'e', 'f')],
      '2 things are doubtful; 0 of 2 checks well',
    ],
  ])('counts %#', (findings, head) => {
    expect(show(['Slack', findings]).text).toContain(head);
  });

  it('may be shared by who may ask about orgs, after a question', () => {
    expect(show(['Slack', []])).toMatchObject({
      needs: 'orgs',
      shareable: { question: expect.stringContaining('Everybody') },
    });
  });

  it('writes foreign text inert', () => {
    const reading = readingOf(show(['Channels', [broken('#<!channel>', 'a *b* <@U1>', '`x`')]]));

    expect(reading).not.toContain('<!channel>');
    expect(reading).not.toContain('<@U1>');
  });

  it('stays within what Slack takes, and keeps every fix that it shows, however much there is', () => {
    const text = fc.string({ maxLength: 600, unit: 'grapheme' });
    const state = fc.constantFrom('well', 'doubtful', 'broken', 'off');
    const finding = fc.record({
      what: text,
      says: text,
      fix: text,
      state,
    }) as fc.Arbitrary<Finding>;
    const areas = fc.array(
      fc.record({ area: text, findings: fc.array(finding, { maxLength: 60 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(areas, (all) => {
        const answer = doctorAnswer({ areas: all, at: AT, tookMs: 10 });
        const blocks = layOut(answer, '');
        return (
          blocks.length <= 50 &&
          charactersIn(blocks) <= LIMITS.messageCharacters &&
          answer.text.length <= 4_000 &&
          blocks.every(
            (block) => block.type !== 'section' || (block.text?.text.length ?? 0) <= 3_000,
          )
        );
      }),
      { numRuns: 60 },
    );
    expect(
      readingOf(show(['A', Array.from({ length: 90 }, () => broken('a', 'b', 'c'))])),
    ).toContain('66 more');
  });
});
