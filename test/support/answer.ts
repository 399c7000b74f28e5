import type { TableBlock } from '@slack/types';
import type { Feature } from '../../src/services.ts';
import { splitWords, type Word } from '../../src/lib/text.ts';
import type { Answer, Person } from '../../src/slack/routing/routes.ts';
import { typeWords } from './command.ts';

/** What a feature answers, as people read it and press on it, without Slack. */

type Shown = Pick<Answer, 'blocks'>;
type Pressable = Pick<Answer, 'controls' | 'buttons'>;

/** The words of a command as the router splits them. */
export function wordsIn(line: string): readonly Word[] {
  const split = splitWords(line);
  if ('problem' in split) throw new Error(split.problem);
  return split.words;
}

/** The cells of the table, its titles first; a person as a mention. */
export function tableOf({ blocks }: Shown): string[][] {
  return blocks.flatMap((block) =>
    block.type === 'table' ? block.rows.map((row) => row.map(textOfCell)) : [],
  );
}

function textOfCell(cell: TableBlock['rows'][number][number]): string {
  const [, person] = /"user_id":"(\w+)"/.exec(JSON.stringify(cell)) ?? [];
  if (person !== undefined) return `<@${person}>`;
  return cell && 'text' in cell ? (cell.text ?? '') : '';
}

/** The table without its titles. */
export function rowsOf(answer: Shown): string[][] {
  return tableOf(answer).slice(1);
}

/** Everything that is said beside the table, as it is sent. */
export function proseOf({ blocks }: Shown): string {
  return JSON.stringify(blocks.filter(({ type }) => type !== 'table'));
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

/** What stands below an answer. */
export function controlsOf({ controls = [], buttons = [] }: Pressable): Control[] {
  return [...controls.flat(), ...buttons] as Control[];
}

/** The texts of the buttons below an answer. */
export function buttonsOf(answer: Pressable): string[] {
  return controlsOf(answer).flatMap(({ text }) => text?.text ?? []);
}

/** By the words on it, or by its action. @throws when there is none */
export function controlOf(answer: Pressable, name: string): Control {
  const found = controlsOf(answer).find(({ action_id: action, text, placeholder }) =>
    [action, text?.text, placeholder?.text].includes(name),
  );
  if (found === undefined) throw new Error(`there is no button ${name}`);
  return found;
}

/** What a person types and presses in a feature with one command. */
export function visitorOf(
  { commands = [], actions = [] }: Pick<Feature, 'commands' | 'actions'>,
  person: Person,
) {
  const act = async (action: string, value: string | undefined, by = person): Promise<Answer> => {
    const route = actions.find(({ actionId }) => actionId === action);
    const answer = await route?.run({ person: by, channelId: 'C1', value });
    if (answer === undefined) throw new Error(`${action} answers nothing`);
    return answer;
  };
  return {
    act,
    type: (line: string) => typeWords(commands[0]!, wordsIn(line), { person, channelId: 'C1' }),
    press: (answer: Answer, name: string, by?: Person) => {
      const { action_id: action, value } = controlOf(answer, name);
      return act(action, value, by);
    },
    /** Chooses from a menu. */
    choose: (answer: Answer, menu: string, value: string | undefined) =>
      act(controlOf(answer, menu).action_id, value),
  };
}
