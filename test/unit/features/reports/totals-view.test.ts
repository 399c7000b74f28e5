import { describe, expect, it } from 'vitest';
import { note } from '../../../../src/features/reports/words.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { found, later, line, question, show } from './support.ts';

const orgs = [line('acme', '750.5', { before: '700' }), line('globex', '249.5', { before: '0' })];

describe('totals', () => {
  it('say first what was asked, then the total and what became of it', () => {
    expect(show(found(orgs)).head).toEqual([
      '*Charges by org* · October 2026 (UTC)',
      '*$1,000.00*, +43% vs September',
      'Largest change: *globex*, +$249.50',
    ]);
  });

  it('name what became less, too, and no change of what is alone or stays', () => {
    const fell = [line('acme', '10', { before: '90' }), line('globex', '60', { before: '50' })];
    const same = [line('acme', '10', { before: '10' }), line('globex', '5', { before: '5' })];

    expect(show(found(fell)).head.at(-1)).toBe('Largest change: *acme*, −$80.00');
    const hardly = [line('acme', '10.001', { before: '10' }), line('globex', '5', { before: '5' })];
    for (const lines of [same, hardly, [line('acme', '10', { before: '90' })]]) {
      expect(show(found(lines)).head.join()).not.toContain('Largest change');
    }
  });

  it('say once that nothing is known of the span before', () => {
    const { head, rows } = show(found([line('acme', '1', { before: null })]));
    expect(head[2]).toBe('No change is shown: no data for September');
    expect(rows[0]).toEqual(['org', 'Charge', 'Share']);
  });

  it('say that the span before could not be read, which is not that there was nothing', () => {
    const { head } = show(found([line('acme', '1', { before: null })], { isBeforeUnread: true }));
    expect(head[2]).toBe('⚠ No change is shown: September could not be read');
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
      'about $1,000 by 31 October',
    ]);
  });

  it('have no estimate on the first day of a month, and none of months that end with this one', () => {
    const running = [line('acme', '500', { projected: '1000' })];
    const at = (text: string, asked = {}) =>
      show(found(running), question(asked, Date.parse(text))).head.join('\n');

    expect(at('2026-10-01T23:00:00Z')).not.toContain('about');
    expect(at('2026-10-03T00:00:00Z')).toContain('about $1,000 by 31 October');
    const long = { startMs: Date.parse('2026-09-01'), endMs: Date.parse('2026-11-01') };
    const asked = question({ range: '2026-09..2026-10' }, Date.parse('2026-10-16T12:30:00Z'));
    expect(show(found(running), { ...asked, range: long }).head.join()).not.toContain('about');
    // Nothing else is said of the end of a year, or of a week over the end of a month.
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
      ['org', 'Charge', 'Share', 'Change'],
      ['acme', '$750.50', '75%', '+7.2%'],
      ['globex', '$249.50', '25%', 'new'],
    ]);
  });

  it('have no shares where credits are among the lines, of which none is a part', () => {
    const credited = [...orgs, line('refund', '-900', { before: '-900' })];
    expect(show(found(credited)).rows.slice(1)).toEqual([
      ['acme', '$750.50', '–', '+7.2%'],
      ['globex', '$249.50', '–', 'new'],
      ['refund', '−$900.00', '–', 'no change'],
    ]);
    expect(show(found(credited.slice(2))).rows[1]?.[2]).toBe('100%');
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
        'about $1,030 by 31 October',
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
      'about $11 by 24:00 UTC',
    ]);
  });

  it('add up what a page has no room for', () => {
    const many = Array.from({ length: 40 }, (_, index) => line(`org-${index}`, '10'));
    const { rows, words, page, pages } = show(found(many), question(), 2);

    expect(rows).toHaveLength(17);
    expect(rows.at(-1)).toEqual(['25 others', '$250.00', '63%', 'no change']);
    expect([page, pages]).toEqual([2, 3]);
    expect(words).toContain('Page 2 of 3');
  });

  it('with a step show its course, and where it is highest', () => {
    const days = { 1: '10', 2: '40', 5: '20' };
    const { words } = show(found([line('acme', '70', { days })]), question({ step: 'day' }));

    expect(words).toContain('Per day:\\n▃█');
    expect(words).toMatch(/Highest: \*\$40\.00\*, 2 October 2026"/);
  });

  it('have flaws as small print and what explains them as notes, and neither without', () => {
    const plain = show(found(orgs));
    const warned = show(
      found(orgs, { skipped: 2, caveats: [note(mrkdwn`Tiers can differ.`)] }),
      question({ step: 'week' }),
    );

    expect(plain.blocks.map(({ type }) => type)).toEqual(['section', 'table']);
    expect(warned.blocks.at(-1)).toMatchObject({
      type: 'context',
      elements: [
        { text: '⚠ 2 rows of the platform’s answer could not be read: the totals are too low.' },
      ],
    });
    expect(plain.notes).toEqual([]);
    expect(warned.notes).toEqual([
      'ℹ Tiers can differ.',
      'ℹ The first or the last week is only partly in the range: only that part counts.',
    ]);
  });

  it('tell their age when they were read some time ago', () => {
    expect(show(found(orgs), question(), 1, later + 3_000).words).not.toContain('Read');
    expect(show(found(orgs), question(), 1, later + 12_000).words).toContain('Read 12 s ago');
  });
});
