import { describe, expect, it } from 'vitest';
import { flaw, note } from '../../../../src/features/consumption/caveats.ts';
import { sendChart, sendCsv } from '../../../../src/features/consumption/files.ts';
import type { FilesDeps } from '../../../../src/features/consumption/files.ts';
import { reportOf } from '../../../../src/features/consumption/report.ts';
import type { Found, Source } from '../../../../src/features/consumption/source.ts';
import { newState } from '../../../../src/features/consumption/state.ts';
import { mrkdwn } from '../../../../src/slack/kit/index.ts';
import { anyAmount } from '../../../support/figures.ts';
import { askNothing, found, later, line, openQuery } from './support.ts';

const nobody = () => Promise.reject(new Error('is not asked'));

/** A button below an answer by day. */
function press(send: typeof sendCsv, answer: Found) {
  const source: Source = {
    help: { command: '/charges', summary: '', usages: [], examples: [] },
    name: 'charges',
    needs: () => 'billing',
    by: ['org'],
    authorize: nobody,
    orgs: nobody,
    usualOrgs: () => [],
    ask: askNothing,
    tagValues: nobody,
  };
  const state = newState('charges', { ...openQuery, step: 'day' }, later);
  const deps: FilesDeps = {
    sendFile: () => Promise.resolve(undefined),
    report: ({ bodies, wanted }) => reportOf(bodies, answer, wanted, async () => new Uint8Array()),
    held: anyAmount(),
    clock: { now: () => later },
  };
  return send(source, deps, { userId: 'U1' }, state);
}

/** What the answer to a click says, and its small print. */
async function saidOf(send: typeof sendCsv, answer: Found) {
  const { text, blocks } = await press(send, answer);
  const small = blocks.flatMap((block) =>
    block.type === 'context' ? block.elements.map((one) => 'text' in one && one.text) : [],
  );
  return [text, ...small];
}

describe('a chart of which there is nothing to draw', () => {
  it('says what bars cannot show, and asks for no step that is there', async () => {
    const credits = found([line('acme', '-5', { days: { 1: '-5' } })]);

    await expect(press(sendChart, credits)).rejects.toThrow(
      'There is nothing to draw: bars show what is above 0, and no step has any of it.',
    );
  });
});

describe('a file', () => {
  const acme = line('acme', '5', { days: { 1: '5' } });
  const lines = [acme, line('globex', '3', { days: { 2: '3' } })];
  const where = 'in `charges-2026-10.csv`, in your messages with Purser.';
  const low = flaw(mrkdwn`The sums may be too low.`);

  it('of everything says so', async () => {
    const whole = { caveats: [note(mrkdwn`Rates can differ.`)] };

    expect(await saidOf(sendCsv, found(lines, whole))).toEqual([`All 2 rows are ${where}`]);
    expect(await saidOf(sendCsv, found([acme], whole))).toEqual([`The only row is ${where}`]);
  });

  it('that lacks something, or may lack it, says what, and does not say that it is all', async () => {
    const caveats = [note(mrkdwn`Rates can differ.`), low];

    expect(await saidOf(sendCsv, found(lines, { caveats }))).toEqual([
      `2 rows are ${where}`,
      '⚠ The sums may be too low.',
    ]);
    expect(await saidOf(sendCsv, found([acme], { skipped: 3 }))).toEqual([
      `1 row is ${where}`,
      '⚠ 3 rows of the platform’s answer could not be read, so the totals are too low.',
    ]);
  });

  it('with a chart says what it lacks, too', async () => {
    expect(await saidOf(sendChart, found(lines, { caveats: [low] }))).toEqual([
      'The chart is in `charges-2026-10.png`, in your messages with Purser.',
      '⚠ The sums may be too low.',
    ]);
    expect(await saidOf(sendChart, found(lines))).toHaveLength(1);
  });
});
