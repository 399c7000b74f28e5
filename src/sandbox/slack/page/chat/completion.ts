import type { Bootstrap, PageCommand } from '../../page-protocol.ts';

/** An entry of the list over the composer. */
export type Suggestion = {
  readonly key: string;
  /** The replacement for the typed word. */
  readonly insert: string;
  readonly title: string;
  readonly hint: string;
  readonly description: string;
};

export type Completion = {
  /** Where the completed word begins. */
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
};

const most = 10;

/** Completions of the word before the caret: a command at the start, a `#channel`, a `@person`. */
export function complete(text: string, caret: number, boot: Bootstrap): Completion | undefined {
  const before = text.slice(0, caret);
  const command = /^\/\S*$/.exec(before);
  if (command !== null) return found(0, commandSuggestions(boot.commands, before));
  const word = /(?:^|\s)([@#])([\w.-]*)$/.exec(before);
  if (word === null) return undefined;
  const [, mark = '', query = ''] = word;
  const suggestions =
    mark === '#' ? channelSuggestions(boot, query) : peopleSuggestions(boot, query);
  return found(caret - query.length - 1, suggestions);
}

/** The command that a text begins with, once its name is typed out. */
export function commandOf(text: string, commands: readonly PageCommand[]): PageCommand | undefined {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((each) => each.command === name);
}

function found(from: number, suggestions: readonly Suggestion[]): Completion | undefined {
  return suggestions.length === 0 ? undefined : { from, suggestions: suggestions.slice(0, most) };
}

function commandSuggestions(commands: readonly PageCommand[], typed: string): Suggestion[] {
  return commands
    .filter((each) => each.command.startsWith(typed.toLowerCase()))
    .map((each) => ({
      key: each.command,
      insert: `${each.command} `,
      title: each.command,
      hint: each.usage_hint,
      description: each.description,
    }));
}

function channelSuggestions(boot: Bootstrap, query: string): Suggestion[] {
  return boot.channels
    .filter((each) => each.kind !== 'dm' && each.name.startsWith(query.toLowerCase()))
    .map((each) => ({
      key: each.id,
      insert: `#${each.name} `,
      title: `#${each.name}`,
      hint: '',
      description: each.topic,
    }));
}

function peopleSuggestions(boot: Bootstrap, query: string): Suggestion[] {
  const wanted = query.toLowerCase();
  return boot.users
    .filter((each) => !each.deleted)
    .filter((each) => ` ${each.name} ${each.real_name}`.toLowerCase().includes(` ${wanted}`))
    .map((each) => ({
      key: each.id,
      insert: `@${each.name} `,
      title: `@${each.name}`,
      hint: '',
      description: each.real_name,
    }));
}
