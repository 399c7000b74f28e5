import { describe, expect, it } from 'vitest';
import { parseTags } from '../../../../src/features/reports/grammar.ts';
import { flaw, sharing } from '../../../../src/features/reports/words.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { rowsOf, tableOf, textOf, wordsIn } from '../../../support/answer.ts';
import { ANN, NOW, startLists } from './lists-support.ts';

function refused(line: string): UsageError {
  try {
    parseTags(wordsIn(line), '/usage');
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${line} was read`);
}

describe('tags TAG [query]', () => {
  it('reads a tag in any spelling, and a query after it', () => {
    const { tag, query } = parseTags(
      wordsIn('PERFORMANCECLASS last month of cpu where gvc=shop org acme'),
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
    expect(parseTags(wordsIn('org org acme'), '/usage')).toMatchObject({
      tag: 'org',
      query: { orgs: ['acme'] },
    });
  });

  it.each(['', 'last month', 'where gvc=shop', '""', '2026-10'])('asks for a tag: %s', (line) => {
    expect(refused(line).message).toMatch(
      /^`TAG` is missing after `tags`: usual are org, gvc, workload, /,
    );
  });

  it.each([
    ['worklod last month', '/usage tags workload last month'],
    ['gvc lst month', '/usage tags gvc last month'],
    ['gvc last month by org', '/usage tags gvc last month'],
    ['gvc step day where gvc=a', '/usage tags gvc this month where gvc=a'],
    ['"Team" by org', '/usage tags "Team" this month'],
    ['gvc last month item cpu org acme', '/usage tags gvc last month org acme'],
    ["'gvc' 'last month'", '/usage tags gvc last month'],
  ])('suggests the whole command: %s', (line, suggestion) => {
    expect(refused(line).suggestion).toBe(suggestion);
  });

  it('names the usual tags where there is no such one, and suggests nothing', () => {
    expect(refused('Team')).toMatchObject({
      message:
        '"Team" is not a tag: usual are org, gvc, workload, location, metric, feature, locationType, performanceClass.',
      suggestion: undefined,
    });
  });

  it('says that grouping and steps make no sense here', () => {
    expect(refused('gvc by org').message).toBe('"tags" takes no "by": leave it out.');
    expect(refused('gvc step day').message).toBe('"tags" takes no "step": leave it out.');
  });
});

const HUNDREDS = Array.from({ length: 250 }, (_, at) => `gvc-${String(at).padStart(3, '0')}`);

describe('The values of a tag', () => {
  it('come with their span, and with the months that the platform looks through', async () => {
    const { ask, asked, authorized } = startLists({ found: { values: ['', 'shop'] } });

    const answer = await ask('gvc last month where workload=/^c/ org ACME');
    const said = textOf(answer);

    expect(said).toContain(
      '*2 values of* `gvc` in charges, `where workload=/^c/ org acme` · October 2026 (UTC)',
    );
    expect(tableOf(answer)).toEqual([
      ['GVC', 'Next'],
      ['(none) (usage that lacks the tag)', '[Open]'],
      ['shop', '[Open]'],
    ]);
    expect(answer.notes).toEqual([
      'ℹ The platform searches whole months: October to November 2026. New values of this month can be late.',
    ]);
    expect(asked).toMatchObject([
      ['gvc', { startMs: Date.parse('2026-10-01') }, { orgs: ['acme'] }],
    ]);
    expect(authorized).toEqual([ANN.userId]);
  });

  it.each([
    ['2026-08-10..2026-09-10', 'August to October 2026.'],
    ['2026-08', 'August to September 2026.'],
    ['2025-12-31', 'December 2025 to January 2026.'],
  ])('of %s are searched in whole months', async (range, months) => {
    const { ask } = startLists({ found: { values: ['a'] } });
    const { notes } = await ask(`gvc ${range}`);
    expect(notes).toEqual([`ℹ The platform searches whole months: ${months}`]);
  });

  it('suggest another query when the list is empty', async () => {
    const { ask } = startLists();

    const answer = await ask('gvc where workload=web');

    expect(textOf(answer)).toContain('*No values of* `gvc`');
    expect(textOf(answer)).toContain('leave the filters out, or ask for a longer range');
    expect(textOf(await ask('gvc'))).not.toContain('filters');
  });

  it('say first which orgs are missing', async () => {
    const { ask } = startLists({ found: { values: [], missing: ['globex'] } });
    expect(textOf(await ask('gvc'))).toMatch(/ · \*without globex\*\nThe other orgs have none\./);
  });

  it('show their age and the gaps', async () => {
    const { ask } = startLists({
      found: {
        values: ['a'],
        readAt: NOW - 12_000,
        skipped: 2,
        caveats: [flaw(mrkdwn`No globex.`)],
      },
    });

    const said = textOf(await ask('gvc'));

    expect(said).toContain('Read 12 s ago');
    expect(said).toContain('⚠ 2 values could not be read.\n⚠ No globex.');
  });

  it('are all in one table up to the limits of Slack, and on pages beyond', async () => {
    const { ask, turn, authorized } = startLists({ found: { values: HUNDREDS } });

    const first = await ask('gvc last month');
    const last = await turn(first, 2);

    expect(rowsOf(first)).toHaveLength(200);
    expect(textOf(first)).toContain('Rows 1 to 200 of 250');
    expect(rowsOf(last).at(-1)?.[0]).toBe('gvc-249');
    expect([first.pages, first.asked?.page, last.asked?.page]).toEqual([2, 1, 2]);
    expect(authorized).toHaveLength(2);
  });

  it('open the charges of one value, by the next finer tag', async () => {
    const { ask, step, opened } = startLists({ found: { values: ['shop', '/odd/'] } });
    const answer = await ask('gvc last month of cpu');

    await step(answer, 'shop');
    await step(answer, '/odd/');

    expect(opened.map(({ query }) => [query.by, query.where, query.of, query.range])).toEqual([
      [['workload'], { gvc: 'shop' }, ['cpu'], 'last month'],
      [['workload'], { gvc: '/^(/odd/)$/' }, ['cpu'], 'last month'],
    ]);
  });

  it('name their contents before they are shared', () => {
    const question = (name: 'charges' | 'usage') =>
      sharing({ name, needs: () => 'orgs' }, { userId: 'U1' }).shareable.question;
    expect(question('usage')).toBe('It shows usage to everyone in this channel.');
    expect(question('charges')).toBe('It shows billing data to everyone in this channel.');
  });

  it('are refused to a member limited to single orgs, before the org is resolved', async () => {
    const { ask, asked } = startLists({ orgsOnly: 'This takes a billing role.' });

    await expect(ask('gvc')).rejects.toThrow('This takes a billing role.');
    await expect(ask('gvc org nope')).rejects.toThrow('This takes a billing role.');
    expect(asked).toEqual([]);
  });

  it('are all there once, within the limits of Slack, however long and hostile', async () => {
    const values = Array.from({ length: 150 }, (_, at) => `${at} <!channel> \`${'&'.repeat(186)}`);
    const { ask, turn } = startLists({ found: { values } });

    const first = await ask('gvc');
    const seen = rowsOf(first);
    for (let page = 2; page <= (first.pages ?? 1); page += 1) {
      seen.push(...rowsOf(await turn(first, page)));
    }

    expect(seen.map(([value = '']) => parseInt(value, 10))).toEqual(values.map((_, at) => at));
    expect(textOf(first)).not.toContain('<!channel>');
  });
});
