import type { Button, TableBlock } from '@slack/types';
import type { Feature } from '../../src/services.ts';
import { splitWords, type Word } from '../../src/lib/words.ts';
import { answerText } from '../../src/slack/kit/message-text.ts';
import type { Kept } from '../../src/slack/replies/shelf.ts';
import type { Answer, Person } from '../../src/slack/routing/routes.ts';
import { typeWords } from './command.ts';
import { keptHere } from './kept.ts';

/** Answers of a feature, as people read them and press on them, without Slack. */

type Shown = Pick<Answer, 'blocks'>;
type Pressable = Pick<Answer, 'controls' | 'buttons' | 'menu'>;

/** The words of a command as the router splits them. */
export function wordsIn(line: string): readonly Word[] {
  const split = splitWords(line);
  if ('problem' in split) throw new Error(split.problem);
  return split.words;
}

/** The cells of the table, its titles first; a person as a mention, a button by its words. */
export function tableOf({ blocks }: Shown): string[][] {
  return blocks.flatMap((block) =>
    block.type === 'table' || block.type === 'data_table'
      ? (block.rows as readonly Cell[][]).map((row) => row.map(textOfCell))
      : [],
  );
}

type Cell = TableBlock['rows'][number][number];

function textOfCell(cell: Cell): string {
  const [, person] = /"user_id":"(\w+)"/.exec(JSON.stringify(cell)) ?? [];
  if (person !== undefined) return `<@${person}>`;
  if (cell && 'element' in cell) return `[${(cell.element as Button).text.text}]`;
  if (cell && 'text' in cell) return cell.text ?? '';
  const [line] = cell && 'elements' in cell ? cell.elements : [];
  const parts = line?.type === 'rich_text_section' ? line.elements : [];
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

/** The button of a row, by the row's first cell. */
export function stepOf({ blocks }: Shown, name: string): Button {
  const rows = blocks.flatMap((block) =>
    block.type === 'data_table' ? (block.rows as readonly Cell[][]) : [],
  );
  const cell = rows.find(([first]) => first && textOfCell(first) === name)?.at(-1);
  if (!cell || !('element' in cell)) throw new Error(`the row ${name} has no button`);
  return cell.element as Button;
}

/** As a notification and a screen reader have it. */
export function spoken({ blocks }: Shown): string {
  return answerText(blocks);
}

/** The table without its titles. */
export function rowsOf(answer: Shown): string[][] {
  return tableOf(answer).slice(1);
}

/** The text beside the table, as it is sent. */
export function proseOf({ blocks }: Shown): string {
  return JSON.stringify(blocks.filter(({ type }) => !type.endsWith('table')));
}

/** The same as it is read, line by line, with the notes behind their button. */
export function textOf({ blocks, notes = [] }: Pick<Answer, 'blocks' | 'notes'>): string {
  const said = blocks as { text?: { text: string }; elements?: { text?: string }[] }[];
  return said
    .flatMap(({ text, elements = [] }) => [text?.text, ...elements.map((one) => one.text)])
    .filter((text) => text !== undefined)
    .concat(notes)
    .join('\n');
}

/** A button or a menu. */
interface Control {
  readonly action_id: string;
  readonly text?: { readonly text: string };
  readonly placeholder?: { readonly text: string };
  readonly style?: string;
  readonly value?: string;
  readonly options?: readonly {
    readonly value: string;
    readonly text: { readonly text: string };
  }[];
}

/** The controls below an answer. */
export function controlsOf({ controls = [], buttons = [], menu = [] }: Pressable): Control[] {
  const items = menu.map(({ text, action }) => ({ action_id: action, text: { text } }));
  return [...controls, ...buttons, ...items] as Control[];
}

/** The texts of the buttons below an answer. */
export function buttonsOf(answer: Pressable): string[] {
  return controlsOf(answer).flatMap(({ text }) => text?.text ?? []);
}

/** By the words on it, or by its action. @throws when nothing is there */
export function controlOf(answer: Pressable, name: string): Control {
  const found = controlsOf(answer).find(({ action_id: action, text, placeholder }) =>
    [action, text?.text, placeholder?.text].includes(name),
  );
  if (found === undefined) throw new Error(`there is no button ${name}`);
  return found;
}

/** A person who types and presses in a feature with one command. @param kept the shelves of the feature */
export function visitorOf(
  {
    commands = [],
    actions = [],
    questions = [],
  }: Pick<Feature, 'commands' | 'actions' | 'questions'>,
  person: Person,
  kept: Pick<Kept, 'answers'> = keptHere(),
) {
  const act = async (
    action: string,
    value: string | undefined,
    { by = person, of }: { by?: Person; of?: Answer } = {},
  ): Promise<Answer> => {
    const answerId = of && (await kept.answers.put(by.userId, of));
    const context = { person: by, channelId: 'C1', value, answerId };
    const route = actions.find(({ actionId }) => actionId === action.replace(/#\d+$/, ''));
    const answer = await route?.run(context);
    if (answer === undefined) throw new Error(`${action} answers nothing`);
    return answer;
  };
  /** Turns to a page, as the router does. */
  const turn = async ({ asked }: Answer, page: number, by = person): Promise<Answer> => {
    const question = questions.find(({ name }) => name === asked?.route);
    if (question === undefined) throw new Error('The answer has no question');
    const context = { person: by, channelId: 'C1', value: String(page) };
    return question.ask(context, asked?.question, page);
  };
  return {
    act,
    turn,
    type: (line: string) => typeWords(commands[0]!, wordsIn(line), { person, channelId: 'C1' }),
    press: (answer: Answer, name: string, by = person) => {
      const { action_id: action, value } = controlOf(answer, name);
      return act(action, value, { by, of: answer });
    },
    /** Presses the button in a row of the table. */
    step: (answer: Answer, row: string) => {
      const { action_id: action = '', value } = stepOf(answer, row);
      return act(action, value, { of: answer });
    },
    /** Chooses from a menu. */
    choose: (answer: Answer, menu: string, value: string | undefined) =>
      act(controlOf(answer, menu).action_id, value, { of: answer }),
  };
}
