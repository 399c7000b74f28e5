import type { ActionsBlockElement, Button } from '@slack/types';
import { button } from '../../slack/kit/index.ts';
import type { Question, Source } from './source.ts';

/** Tags with a button of their own. */
export const GROUPINGS = ['org', 'gvc', 'workload', 'metric'] as const;

/** The id of an action of one of the two commands; a button carries the id of the kept state. */
export function actionId(name: Source['name'], action: string): string {
  return `${name}.${action}`;
}

interface Shown {
  readonly source: Source;
  readonly question: Question;
  /** Whether there is anything for a file. */
  readonly hasRows: boolean;
  /** Of the kept state. */
  readonly id: string;
  readonly page: number;
  readonly pages: number;
}

/** The rows of buttons below totals. */
export function totalsControls(shown: Shown): ActionsBlockElement[][] {
  const { source, question } = shown;
  const press = presser(shown);
  const current = groupingOf(source, question);
  return [
    GROUPINGS.map((tag) =>
      button({
        action: actionId(source.name, `by-${tag}`),
        text: `By ${tag}`,
        value: shown.id,
        ...(tag === current ? { style: 'primary' } : {}),
      }),
    ),
    [
      ...(source.hasTiers ? [press('detail', 'Detail')] : []),
      ...(question.query.step === undefined ? [] : [press('chart', 'Chart')]),
      ...fileButton(shown),
      press('customize', 'Customize'),
      ...turning(shown),
    ],
  ];
}

/** The tag whose button is marked; what is asked for of itself counts as its first tag. */
function groupingOf(source: Source, { by }: Question): string | undefined {
  const isUsual = JSON.stringify(by) === JSON.stringify(source.by);
  return isUsual || by.length === 1 ? by[0] : undefined;
}

/** The row of buttons below pricing tiers. */
export function detailControls(shown: Shown): ActionsBlockElement[] {
  const press = presser(shown);
  return [
    press('totals', 'Back to totals'),
    ...fileButton(shown),
    press('customize', 'Customize'),
    ...turning(shown),
  ];
}

/** What is left to do about an answer without figures. */
export function customizeButton({ source, id }: Pick<Shown, 'source' | 'id'>): Button {
  return button({ action: actionId(source.name, 'customize'), text: 'Customize', value: id });
}

function presser({ source, id }: Pick<Shown, 'source' | 'id'>) {
  return (action: string, text: string): Button =>
    button({ action: actionId(source.name, action), text, value: id });
}

function fileButton(shown: Shown): Button[] {
  return shown.hasRows ? [presser(shown)('csv', 'CSV')] : [];
}

function turning(shown: Shown): Button[] {
  const press = presser(shown);
  return [
    ...(shown.page > 1 ? [press('previous', 'Previous')] : []),
    ...(shown.page < shown.pages ? [press('next', 'Next')] : []),
  ];
}
