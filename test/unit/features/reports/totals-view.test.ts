import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { totalsView } from '../../../../src/features/reports/totals-view.ts';
import { flaw, note } from '../../../../src/features/reports/words.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { found, headOf, later, line, october, question, show } from './support.ts';

const orgs = [line('acme', '750.5', { before: '700' }), line('globex', '249.5', { before: '0' })];

describe('totals', () => {
  it('repeat the question first, then the total and its change', () => {
    expect(show(found(orgs)).head).toEqual([
      '*Charges by org* · October 2026 (UTC)',
      '*$1,000.00*, +43% vs September',
      'Largest change: *globex*, +$249.50',
    ]);
  });

  it('are in the headline', () => {
    const [one] = totalsView({
      name: 'charges',
      question: question(),
      found: found(orgs),
      page: 1,
      now: later,
    }).blocks;
    expect(JSON.stringify(one)).toContain(
      '*Charges by org* · October 2026 (UTC) · *$1,000.00*, +43% vs September\\n',
    );
  });

  it('name decreases, too, and no change where there is one line or where all stay the same', () => {
    const fell = [line('acme', '10', { before: '90' }), line('globex', '60', { before: '50' })];
    const same = [line('acme', '10', { before: '10' }), line('globex', '5', { before: '5' })];

    expect(show(found(fell)).head.at(-1)).toBe('Largest change: *acme*, −$80.00');
    const hardly = [line('acme', '10.001', { before: '10' }), line('globex', '5', { before: '5' })];
    const small = [line('acme', '10.1', { before: '10' }), line('globex', '5', { before: '5' })];
    for (const lines of [same, hardly, small, [line('acme', '10', { before: '90' })]]) {
      expect(show(found(lines)).head.join()).not.toContain('Largest change');
    }
  });

  it('are short in a message that a channel gets by itself', () => {
    const fell = [line('acme', '10', { before: '90' }), line('globex', '60', { before: '51' })];
    const priced = note(mrkdwn`Not priced, so counted as 0: \`egress\``);
    const short = { name: 'charges', question: question(), page: 1, isShort: true } as const;
    const day = Date.parse('2026-11-02T12:00:00Z');
    const { blocks } = totalsView({
      ...short,
      found: found(fell, { caveats: [priced] }),
      now: day,
    });

    expect(headOf({ blocks }).slice(1)).toEqual([
      '*$70.00*, −50% vs September',
      'Largest change: *acme*, −$80.00',
      '_provisional until 3 November_',
    ]);
    const shown = JSON.stringify(blocks);
    expect(shown).toContain('Some usage has no price yet');
    expect(shown).toContain('"86%"');
    expect(blocks.find(({ type }) => type === 'table')).toBeDefined();
    const after = totalsView({ ...short, found: found(fell), now: later });
    expect(headOf(after).join()).not.toContain('provisional');
  });

  it('say once that nothing is known of the span before', () => {
    const { head, rows } = show(found([line('acme', '1', { before: null })]));
    expect(head[2]).toBe('No change is shown: no data for September');
    expect(rows[0]).toEqual(['Org', 'Charge', 'Share', 'Next']);
  });

  it('say that the span before could not be read, which is not that there was nothing', () => {
    const { head } = show(found([line('acme', '1', { before: null })], { isBeforeUnread: true }));
    expect(head[2]).toBe('⚠ No change is shown: September could not be read');
  });

  it('of which rows could not be read are the least, without change and projection', () => {
    const unread = line('acme', '180', { before: null, projected: '900' });
    const now = october.startMs + 10 * DAY_MS;
    const { head } = show(
      found([unread], { skipped: 12, isBeforeUnread: true }),
      question({}, now),
    );
    expect(head).toEqual([
      expect.stringContaining('October 2026'),
      'at least *$180.00* so far',
      '⚠ 12 rows could not be read, so no change is shown',
    ]);
  });

  it('name every filter, the orgs and the step', () => {
    const asked = question({
      of: ['cpu', 'memory'],
      where: { gvc: 'shop', workload: '' },
      orgs: ['acme'],
      step: 'day',
    });
    expect(show(found(orgs), asked).head[0]).toBe(
      '*Charges by org* of `cpu`, `memory` where `gvc=shop`, `workload=""` in org `acme` per day · October 2026 (UTC)',
    );
  });

  it('of a running span say so, project it, and compare the elapsed part', () => {
    const halfway = Date.parse('2026-10-16T12:30:00Z');
    const running = [line('acme', '500', { projected: '1000', before: '400' })];
    expect(show(found(running), question({}, halfway)).head).toEqual([
      '*Charges by org* · October 2026 (1-16, UTC)',
      '*$500.00* so far, +25% vs 1-16 September',
      'Projected: about $1,000 by 31 October',
    ]);
  });

  it('have no estimate on the first day of a month, and none of months that end with this one', () => {
    const running = [line('acme', '500', { projected: '1000' })];
    const at = (text: string, asked = {}) =>
      show(found(running), question(asked, Date.parse(text))).head.join('\n');

    expect(at('2026-10-01T23:00:00Z')).not.toContain('about');
    expect(at('2026-10-03T00:00:00Z')).toContain('Projected: about $1,000 by 31 October');
    const long = { startMs: Date.parse('2026-09-01'), endMs: Date.parse('2026-11-01') };
    const asked = question({ range: '2026-09..2026-10' }, Date.parse('2026-10-16T12:30:00Z'));
    expect(show(found(running), { ...asked, range: long }).head.join()).not.toContain('about');
    // A year, and a week over the end of a month, have the usual projection.
    const year = { startMs: Date.parse('2026-01-01'), endMs: Date.parse('2027-01-01') };
    expect(show(found(running), { ...asked, range: year }).head.join()).toContain('about $1,000');
    const week = { startMs: Date.parse('2026-09-28'), endMs: Date.parse('2026-10-05') };
    const monday = question({}, Date.parse('2026-10-02T12:00:00Z'));
    expect(show(found(running), { ...monday, range: week }).head.join()).toContain('about $1,000');
  });

  it('are of no same part where the month before was over by then', () => {
    const march = { startMs: Date.parse('2026-03-01'), endMs: Date.parse('2026-04-01') };
    const asked = question({ range: '2026-03' }, Date.parse('2026-03-31T14:30:00Z'));
    const running = [line('acme', '500', { before: '400' })];

    expect(show(found(running), { ...asked, range: march }).head[1]).toBe(
      '*$500.00* so far, +25% vs February',
    );
  });

  it('have a row for each group with its share and change', () => {
    expect(show(found(orgs)).rows).toEqual([
      ['Org', 'Charge', 'Change', 'Share', 'Next'],
      ['acme', '$750.50', '+7.2%', '75%', '[Open]'],
      ['globex', '$249.50', 'new', '25%', '[Open]'],
    ]);
  });

  it('have no shares where credits are among the lines, of which none is a part', () => {
    const credited = [...orgs, line('refund', '-900', { before: '-900' })];
    expect(show(found(credited)).rows.slice(1)).toEqual([
      ['acme', '$750.50', '+7.2%', '–', '[Open]'],
      ['globex', '$249.50', 'new', '–', '[Open]'],
      ['refund', '−$900.00', 'no change', '–', '[Open]'],
    ]);
    expect(show(found(credited.slice(2))).rows[1]?.[3]).toBe('100%');
  });

  it('show usage that lacks the tag as (none)', () => {
    expect(show(found([line('', '1')])).rows[1]?.[0]).toBe('(none)');
  });

  it.each(['hour', 'day', 'week', 'month'] as const)(
    'by %s are projected as the same question without a step is',
    (step) => {
      const halfway = Date.parse('2026-10-16T12:30:00Z');
      const running = [line('acme', '500', { projected: '510' })];
      const whole = [line('acme', '500', { projected: '1034' })];

      const { head } = show(found(running, { whole }), question({ step }, halfway));
      expect(head.slice(1)).toEqual([
        '*$500.00* so far, no change vs 1-16 September',
        'Projected: about $1,030 by 31 October',
      ]);
      expect(show(found(whole), question({}, halfway)).head.slice(1)).toEqual(head.slice(1));
    },
  );

  it('by step have no estimate where the whole could not be read', () => {
    const halfway = Date.parse('2026-10-16T12:30:00Z');
    const running = [line('acme', '500', { projected: '510' })];
    expect(show(found(running), question({ step: 'day' }, halfway)).head).toHaveLength(2);
  });

  it('of a running day are compared with the same hours', () => {
    const noon = Date.parse('2026-10-16T12:30:00Z');
    const today = {
      startMs: Date.parse('2026-10-16T00:00:00Z'),
      endMs: Date.parse('2026-10-17T00:00:00Z'),
    };
    const asked = { ...question({ range: 'today' }, noon), range: today };

    expect(show(found([line('acme', '5', { projected: '11' })]), asked).head).toEqual([
      '*Charges by org* · 16 October 2026 (to 12:00, UTC)',
      '*$5.00* so far, no change vs the same hours of 15 October',
      'Projected: about $11 by 24:00 UTC',
    ]);
  });

  it('have all their rows in one table, which sorts by the figures', () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      line(`org-${index}`, `${1_150 - index}`, { before: '1000' }),
    );
    const { rows, blocks, pages } = show(found(many));
    const table = blocks.find((block) => block.type === 'data_table');

    expect(rows).toHaveLength(151);
    expect(pages).toBe(1);
    expect(table).toMatchObject({ caption: 'Charges: a row per org', page_size: 20 });
    expect(table?.rows[1]?.slice(0, 4)).toMatchObject([
      { type: 'raw_text', text: 'org-0' },
      { type: 'raw_number', value: 1_150, text: '$1,150.00' },
      { type: 'raw_number', value: 0.15, text: '+15%' },
      { type: 'raw_number', text: '0.7%' },
    ]);
  });

  it('have pages beyond 200 rows', () => {
    const many = Array.from({ length: 250 }, (_, index) => line(`org-${index}`, '10'));
    const { rows, words, page, pages } = show(found(many), question(), 9);

    expect([rows.length, page, pages]).toEqual([51, 2, 2]);
    expect(words).toContain('Rows 201 to 250 of 250');
  });

  it('in a channel show five rows at a time, and nothing to open', () => {
    const many = Array.from({ length: 40 }, (_, index) => line(`org-${index}`, '10'));
    const asked = { name: 'charges', question: question(), page: 1, now: later } as const;
    const { blocks } = totalsView({ ...asked, found: found(many), isShort: true });
    const table = blocks.find((block) => block.type === 'data_table');

    expect(table).toMatchObject({ page_size: 5 });
    expect(table?.rows).toHaveLength(41);
    expect(JSON.stringify(table)).not.toContain('Open');
  });

  it('open a row only where it has a finer grouping, and an org to ask for', () => {
    const opened = (by: string[], ...labels: string[]) => {
      const { rows } = show(found([line(labels, '1')], { columns: by }), question({ by }));
      return rows[1]?.includes('[Open]') === true;
    };

    expect(opened(['workload'], 'api')).toBe(true);
    expect(opened(['gvc'], '')).toBe(true);
    expect(opened(['metric'], 'cpu')).toBe(false);
    expect(opened(['org', 'gvc'], 'acme', 'shop')).toBe(false);
    expect(opened(['org'], '')).toBe(false);
  });

  it('of more tags than there are columns have them in one', () => {
    const columns = Array.from({ length: 18 }, (_, at) => `tag${at}`);
    const { rows } = show(found([line(columns, '1')], { columns }), question({ by: columns }));

    expect(rows[0]?.[0]).toContain('Tag0, Tag1, ');
    expect(rows[0]).toHaveLength(4);
  });

  it('have flaws as small print and explanations as notes, and neither without', () => {
    const plain = show(found(orgs));
    const warned = show(
      found(orgs, {
        caveats: [flaw(mrkdwn`The sums may be too low.`), note(mrkdwn`Tiers can differ.`)],
      }),
      question({ step: 'week' }),
    );

    expect(plain.blocks.map(({ type }) => type)).toEqual(['section', 'data_table']);
    expect(warned.blocks.at(-1)).toMatchObject({
      type: 'context',
      elements: [{ text: '⚠ The sums may be too low.' }],
    });
    expect(plain.notes).toEqual([]);
    expect(warned.notes).toEqual([
      'ℹ Tiers can differ.',
      'ℹ The first or the last week is only partly in the range: only that part counts.',
    ]);
  });

  it('show their age when they were read some time ago', () => {
    expect(show(found(orgs), question(), 1, later + 3_000).words).not.toContain('Read');
    expect(show(found(orgs), question(), 1, later + 12_000).words).toContain('Read 12 s ago');
  });
});
