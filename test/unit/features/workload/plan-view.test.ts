import { describe, expect, it } from 'vitest';
import { planAnswer } from '../../../../src/features/workload/plan-view.ts';
import { planRollout } from '../../../../src/platform/workload/plan.ts';
import type { Amount, RolloutOptions } from '../../../../src/platform/workload/plan.ts';
import type { Answer } from '../../../../src/slack/routes.ts';

const count = (value: number): Amount => ({ value, percent: false });
const percent = (value: number): Amount => ({ value, percent: true });

function show(options: RolloutOptions): Answer {
  return planAnswer({ options, plan: planRollout(options) });
}

/** The cells of the table, without its header. */
function rows({ blocks }: Answer): string[][] {
  const found = blocks.find((block) => block.type === 'table');
  const cells = found?.rows.map((row) => row.map((cell) => ('text' in cell ? cell.text : '')));
  return cells?.slice(1) ?? [];
}

function picture({ blocks }: Answer): string[] {
  const found = blocks.find(
    (block) => block.type === 'section' && /■/.test(block.text?.text ?? ''),
  );
  return found?.type === 'section' ? (found.text?.text.split('\n') ?? []) : [];
}

const notes = ({ blocks }: Answer): string => JSON.stringify(blocks.at(-1));

describe('a rollout plan', () => {
  it('answers in a sentence, a table and a picture', () => {
    const answer = show({ replicas: 4, maxSurge: percent(50), minReadySeconds: 30 });

    expect(answer.text).toBe(
      '*4 replicas* roll out in 2 batches of 2; never fewer than 4 serve (100 %); it takes at least 60 s (1 min)',
    );
    expect(rows(answer)).toEqual([
      ['1', '4 (100 %)', '2', '0', '2', '0', '4'],
      ['2', '4 (100 %)', '2', '2', '2', '2', '2'],
      ['end', '4 (100 %)', '0', '2', '0', '4', '0'],
    ]);
    expect(picture(answer)).toEqual([
      '`■■■■` before',
      '`○○■■■■` batch 1',
      '`●●○○■■` batch 2',
      '`●●●●` end',
      '■ old · ○ new, starting · ● new',
    ]);
    expect(notes(answer)).toContain('how long a replica takes to start comes on top');
    expect(answer).toMatchObject({ shareable: true, needs: 'orgs' });
  });

  it.each<[RolloutOptions, string]>([
    [{ replicas: 4, maxSurge: percent(100) }, '1 batch of 4, a short cutover; never fewer than 4'],
    [{ replicas: 5, maxSurge: count(2) }, '3 batches of 2, the last of 1;'],
    [{ replicas: 1 }, '*1 replica* rolls out in 1 batch of 1; never fewer than 1 serves (100 %)'],
    [{ replicas: 4, maxUnavailable: count(4) }, '1 batch of 4; for a while none serves;'],
    [{ replicas: 3, maxUnavailable: count(1) }, 'never fewer than 2 serve (66 %)'],
    [{ replicas: 3 }, 'it takes 3 times as long as a replica takes to start'],
  ])('of %j says: %s', (options, words) => {
    expect(show(options).text).toContain(words);
  });

  it('says what it assumes when neither option is given', () => {
    expect(notes(show({ replicas: 4 }))).toContain('this assumes one replica more at a time');
    expect(notes(show({ replicas: 4 }))).toContain('`minReady` is not given');
  });

  it('says how a percentage was rounded, where that matters', () => {
    const options = { replicas: 3, maxSurge: percent(50), maxUnavailable: percent(50) };

    expect(notes(show(options))).toContain('50 % of 3 replicas is 1.5, rounded up to 2');
    expect(notes(show(options))).toContain('50 % of 3 replicas is 1.5, rounded down to 1');
    expect(notes(show({ ...options, replicas: 4 }))).not.toContain('rounded');
    expect(notes(show({ replicas: 4, maxSurge: count(9) }))).toContain('9 is more than there are');
  });

  it('says why a batch may be larger than the surge', () => {
    const options = { replicas: 9, maxSurge: count(1), maxUnavailable: count(2) };

    expect(notes(show(options))).toContain('adds the surge of 1, and replaces the 2 that may be');
    expect(notes(show({ replicas: 9, maxSurge: count(1) }))).not.toContain('adds the surge');
  });

  it('says that Parallel does not change the batches of an update', () => {
    const options = { replicas: 4, maxSurge: count(1) };

    expect(notes(show({ ...options, policy: 'Parallel' }))).toContain('does not affect updates');
    expect(rows(show({ ...options, policy: 'Parallel' }))).toEqual(rows(show(options)));
    expect(notes(show({ ...options, policy: 'OrderedReady' }))).not.toContain('Parallel');
  });

  it('of many batches shows the first ones and the last', () => {
    const answer = show({ replicas: 1_000, maxSurge: count(1) });

    expect(rows(answer)).toHaveLength(9);
    expect(rows(answer)[6]?.[0]).toBe('… 993 more');
    expect(rows(answer)[7]?.[0]).toBe('1000');
    expect(picture(answer)).toHaveLength(10);
    expect(picture(answer)[6]).toBe('… 994 more batches');
  });

  it('of one batch more than that shows all of them', () => {
    expect(picture(show({ replicas: 7 }))[6]).toContain('batch 6');
    expect(picture(show({ replicas: 8 }))[6]).toBe('… 2 more batches');
    expect(rows(show({ replicas: 8 }))[6]?.[0]).toBe('7');
  });

  it('lets a sign stand for several replicas where they are many', () => {
    const answer = show({ replicas: 40, maxSurge: percent(50) });

    expect(picture(answer)[1]).toBe('`○○○○○○○■■■■■■■■■■■■■` batch 1');
    expect(
      picture(answer)
        .slice(0, 4)
        .map((row) => row.replace(/[^■○●]/g, '').length),
    ).toEqual([14, 20, 20, 14]);
    expect(picture(answer).at(-1)).toContain('(a sign is up to 3 replicas)');
  });
});
