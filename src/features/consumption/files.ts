import { altTextOf } from '../../figures/chart.ts';
import { toCsv } from '../../figures/csv.ts';
import type { Draw } from '../../figures/draw.ts';
import { writeQuery } from '../../figures/query.ts';
import { describeRange } from '../../figures/range.ts';
import { Refusal } from '../../lib/refusal.ts';
import { plural } from '../../lib/text.ts';
import type { Clock } from '../../lib/clock.ts';
import { mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import type { SendFile } from '../../slack/upload.ts';
import { flawsOf } from './caveats.ts';
import { rangeInFileName } from './range-name.ts';
import { settle } from './settle.ts';
import { fileAnswer } from './short-answers.ts';
import type { Asker, Question, Source } from './source.ts';
import type { State } from './state.ts';
import { chartOf } from './steps.ts';
import { titleOf } from './words.ts';

export interface FilesDeps {
  readonly sendFile: SendFile;
  readonly draw: Draw;
  readonly clock: Clock;
}

/** Every row of the platform's answer as a file, of pricing tiers where they are shown. */
export async function sendCsv(
  source: Source,
  deps: FilesDeps,
  asker: Asker,
  state: State,
): Promise<Answer> {
  const question = await settle(source, asker, state, deps.clock);
  const detailed = state.detailed ? source.detail?.(question) : undefined;
  const found = await (detailed ?? source.find(question));
  const { table } = found;
  const flaws = flawsOf(found);
  if (table.rows.length === 0) throw new Refusal('There is nothing left to put into a file.');
  const filename = fileName(source, question, detailed ? '-tiers.csv' : '.csv');
  const address = await deps.sendFile({
    userId: asker.userId,
    filename,
    title: `${titleOf(source.name, question.by)} (CSV)`,
    comment: commentOf(source, question),
    content: toCsv(table.columns, table.rows),
  });
  const rows = rowsIn(table.rows.length, flaws.length === 0);
  return fileAnswer(mrkdwn`${rows} in`, filename, address, flaws);
}

/** The answer's steps as a picture. */
export async function sendChart(
  source: Source,
  deps: FilesDeps,
  asker: Asker,
  state: State,
): Promise<Answer> {
  const question = await settle(source, asker, state, deps.clock);
  const found = await source.find(question);
  const picture = chartOf(source.name, question, found);
  if (picture === undefined) {
    // The button is there with a step alone.
    throw new Refusal(
      'There is nothing to draw: bars show what is above 0, and no step has any of it.',
    );
  }
  const { chart, leftOut } = picture;
  const filename = fileName(source, question, '.png');
  const address = await deps.sendFile({
    userId: asker.userId,
    filename,
    title: chart.title,
    comment: commentOf(source, question),
    content: await deps.draw(chart),
    altText: altTextOf(chart),
  });
  const others = leftOut.length === 0 ? '' : `, without ${leftOut.join(', ')},`;
  return fileAnswer(mrkdwn`The chart${others} is in`, filename, address, flawsOf(found));
}

/** "All 12 rows are"; of an answer that lacks some, or may lack some, not "all". */
function rowsIn(count: number, isWhole: boolean): string {
  if (count === 1) return isWhole ? 'The only row is' : '1 row is';
  return `${isWhole ? 'All ' : ''}${plural(count, 'row')} are`;
}

/** What the file is of, and how to ask for it again. */
function commentOf({ name, help }: Source, { query, by, range }: Question): string {
  return `${titleOf(name, by)}, ${describeRange(range)} (${help.command} ${writeQuery(query)})`;
}

function fileName({ name }: Source, { range }: Question, ending: string): string {
  return `${name}-${rangeInFileName(range)}${ending}`;
}
