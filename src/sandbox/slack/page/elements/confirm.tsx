import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { type Json, objectOf, stringOf } from '../json.ts';
import { TextObject } from '../text/text.tsx';

type Ask = (dialog: Json) => Promise<boolean>;

const ConfirmContext = createContext<Ask>(() => Promise.resolve(true));

/** Asks the question of a Block Kit `confirm` object; resolves to the person's answer. */
export const useConfirm = (): Ask => useContext(ConfirmContext);

type Question = { readonly dialog: Json; readonly answer: (yes: boolean) => void };

export function ConfirmProvider({ children }: { children: ComponentChildren }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask: Ask = (dialog) =>
    new Promise((resolve) => {
      const answer = (yes: boolean): void => {
        setQuestion(null);
        resolve(yes);
      };
      setQuestion({ dialog, answer });
    });
  const stable = useRef(ask);
  return (
    <ConfirmContext.Provider value={stable.current}>
      {children}
      {question !== null && <ConfirmDialog {...question} />}
    </ConfirmContext.Provider>
  );
}

function ConfirmDialog({ dialog, answer }: Question) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = element.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const words = (key: string, fallback: string): string =>
    stringOf(objectOf(dialog[key])['text']) || fallback;
  return (
    <dialog
      ref={element}
      class="confirm"
      aria-label={words('title', 'Are you sure?')}
      data-testid="confirm"
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
    >
      <h2>{words('title', 'Are you sure?')}</h2>
      <div class="block-text">
        <TextObject text={objectOf(dialog['text'])} />
      </div>
      <footer>
        <button type="button" class="button" onClick={() => answer(false)}>
          {words('deny', 'Cancel')}
        </button>
        <button
          type="button"
          class={`button solid ${dialog['style'] === 'danger' ? 'danger' : 'primary'}`}
          onClick={() => answer(true)}
        >
          {words('confirm', 'Yes')}
        </button>
      </footer>
    </dialog>
  );
}
