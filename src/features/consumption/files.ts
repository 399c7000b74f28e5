import { writeQuery } from '../../figures/query.ts';
import { describeRange } from '../../figures/range.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Clock } from '../../lib/clock.ts';
import { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import type { SendFile } from '../../slack/upload.ts';
import { createAnswerFigures } from './answer.ts';
import type { AnswerDeps } from './answer.ts';
import { rangeInFileName } from './range-name.ts';
import type { Wanted } from './report.ts';
import { settle } from './settle.ts';
import { fileAnswer } from './short-answers.ts';
import type { Asker, Question, Source } from './source.ts';
import type { State } from './state.ts';
import { titleOf } from './words.ts';

export interface FilesDeps extends AnswerDeps {
  readonly sendFile: SendFile;
  readonly clock: Clock;
}

/** A kind of file. */
interface Kind {
  readonly wanted: Wanted;
  /** Of its name. */
  readonly ending: string;
  /** What is said where there is nothing for it. */
  readonly nothing: string;
}

const NO_ROWS = 'There is nothing left to put into a file.';
const CSV: Kind = { wanted: { kind: 'csv' }, ending: '.csv', nothing: NO_ROWS };
const TIERS: Kind = { wanted: { kind: 'csv of tiers' }, ending: '-tiers.csv', nothing: NO_ROWS };
const CHART: Kind = {
  wanted: { kind: 'chart' },
  ending: '.png',
  // The button is there with a step alone.
  nothing: 'There is nothing to draw: bars show what is above 0, and no step has any of it.',
};

/** Every row of the platform's answer as a file, of pricing tiers where they are shown. */
export async function sendCsv(
  source: Source,
  deps: FilesDeps,
  asker: Asker,
  state: State,
): Promise<Answer> {
  return send(source, deps, {
    asker,
    state,
    kind: state.detailed && source.hasTiers ? TIERS : CSV,
  });
}

/** The answer's steps as a picture. */
export async function sendChart(
  source: Source,
  deps: FilesDeps,
  asker: Asker,
  state: State,
): Promise<Answer> {
  return send(source, deps, { asker, state, kind: CHART });
}

async function send(
  source: Source,
  deps: FilesDeps,
  { asker, state, kind }: { asker: Asker; state: State; kind: Kind },
): Promise<Answer> {
  const question = await settle(source, asker, state, deps.clock);
  const report = await createAnswerFigures(source, deps)(question, kind.wanted);
  if (report.kind !== 'file') throw new Refusal(kind.nothing);
  const { content, altText, title = `${titleOf(source.name, question.by)} (CSV)` } = report;
  const filename = `${source.name}-${rangeInFileName(question.range)}${kind.ending}`;
  const address = await deps.sendFile({
    userId: asker.userId,
    filename,
    title,
    comment: commentOf(source, question),
    content,
    ...(altText === undefined ? {} : { altText }),
  });
  return fileAnswer(new Mrkdwn(report.what), filename, address, report.flaws);
}

/** What the file is of, and how to ask for it again. */
function commentOf({ name, help }: Source, { query, by, range }: Question): string {
  return `${titleOf(name, by)}, ${describeRange(range)} (${help.command} ${writeQuery(query)})`;
}
