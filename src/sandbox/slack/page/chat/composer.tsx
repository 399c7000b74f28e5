import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { useBoot, useWorkspace } from '../context.ts';
import { type Completion, commandOf, complete, type Suggestion } from './completion.ts';

type Props = {
  readonly channel: string;
  readonly placeholder: string;
  readonly threadTs?: string;
};

/** The field a person types in: Enter sends, Shift+Enter breaks the line, `/` lists the commands. */
export function Composer({ channel, placeholder, threadTs }: Props) {
  const draft = useDraft(channel, threadTs);
  const listId = useId();
  const { completion } = draft;
  return (
    <div class="composer-area">
      {completion !== undefined && (
        <Suggestions
          id={listId}
          completion={completion}
          active={draft.active}
          onPick={draft.accept}
        />
      )}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void draft.send();
        }}
      >
        <textarea
          ref={draft.field}
          rows={1}
          data-testid={threadTs === undefined ? 'composer' : 'thread-composer'}
          aria-label={placeholder}
          aria-autocomplete="list"
          {...(completion === undefined
            ? {}
            : {
                'aria-controls': listId,
                'aria-activedescendant': `${listId}-${draft.active}`,
              })}
          placeholder={placeholder}
          value={draft.text}
          onInput={(event) => draft.type(event.currentTarget)}
          onKeyDown={draft.onKeyDown}
        />
        <Foot draft={draft} />
      </form>
    </div>
  );
}

type Draft = ReturnType<typeof useDraft>;

/** The row under the text: the way to the commands, the usage of the one being typed, and send. */
function Foot({ draft }: { draft: Draft }) {
  const boot = useBoot();
  const command = commandOf(draft.text, boot.commands);
  return (
    <div class="composer-foot">
      <button
        type="button"
        class="plain"
        aria-label="Slash commands"
        title="Slash commands"
        onClick={draft.startCommand}
      >
        /
      </button>
      {command !== undefined && (
        <span class="usage">
          <b>{command.command}</b> {command.usage_hint}
        </span>
      )}
      <button type="submit" class="send" aria-label="Send" disabled={draft.text.trim() === ''}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 3.5 17 10 3 16.5 5 10.7 11 10 5 9.3z" fill="currentColor" />
        </svg>
      </button>
    </div>
  );
}

/** The typed text, and the list of completions. */
function useDraft(channel: string, threadTs: string | undefined) {
  const workspace = useWorkspace();
  const boot = useBoot();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [completion, setCompletion] = useState<Completion>();
  const [active, setActive] = useState(0);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  const put = (next: string, caret: number): void => {
    setText(next);
    setActive(0);
    setCompletion(complete(next, caret, boot));
  };
  const accept = ({ insert }: Suggestion): void => {
    if (completion === undefined) return;
    const rest = text.slice(field.current?.selectionStart ?? text.length).trimStart();
    put(text.slice(0, completion.from) + insert + rest, Number.NaN);
    setCompletion(undefined);
    field.current?.focus();
  };
  const send = async (): Promise<void> => {
    const line = text.trim();
    if (line === '') return;
    put('', 0);
    if (line.startsWith('/') && threadTs !== undefined) {
      workspace.toast(`${line.split(' ', 1)[0] ?? ''} is not supported in threads. Sorry!`);
      setText(line);
      return;
    }
    if (!(await workspace.send(channel, line, threadTs))) setText(line);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = completion?.suggestions[active];
    const count = completion?.suggestions.length ?? 0;
    const complete = event.key === 'Tab' || event.key === 'Enter';
    if (event.isComposing || event.shiftKey) return;
    if (chosen !== undefined && complete && !isTypedOut(chosen, text)) accept(chosen);
    else if (chosen !== undefined && event.key === 'ArrowDown') setActive((active + 1) % count);
    else if (chosen !== undefined && event.key === 'ArrowUp') {
      setActive((active + count - 1) % count);
    } else if (chosen !== undefined && event.key === 'Escape') setCompletion(undefined);
    else if (event.key === 'Enter') void send();
    else return;
    event.preventDefault();
  };
  return {
    field,
    text,
    active,
    completion,
    accept,
    send,
    onKeyDown,
    type: (area: HTMLTextAreaElement): void => put(area.value, area.selectionStart),
    startCommand: (): void => {
      put('/', 1);
      field.current?.focus();
    },
  };
}

/** Enter on a word that is complete already sends instead of completing it again. */
const isTypedOut = ({ insert }: Suggestion, text: string): boolean =>
  insert.trim() === text.trim() && text.startsWith('/');

type SuggestionsProps = {
  readonly id: string;
  readonly completion: Completion;
  readonly active: number;
  readonly onPick: (suggestion: Suggestion) => void;
};

function Suggestions({ id, completion, active, onPick }: SuggestionsProps) {
  return (
    <ul class="suggestions" id={id} role="listbox" aria-label="Suggestions">
      {completion.suggestions.map((suggestion, index) => (
        <li
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          class={index === active ? 'active' : ''}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(suggestion)}
        >
          <b>{suggestion.title}</b> <span class="usage">{suggestion.hint}</span>
          <small>{suggestion.description}</small>
        </li>
      ))}
    </ul>
  );
}
