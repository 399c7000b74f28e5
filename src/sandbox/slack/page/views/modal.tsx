import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { PageView, StateValues } from '../../page-protocol.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceProvider } from '../blocks/surface.tsx';
import { Avatar } from '../chat/avatar.tsx';
import { findUser, useModel, useWorkspace } from '../context.ts';

/** The open modals: only the top one is shown, those under it keep their entries. */
export function Modals() {
  const { stack } = useModel();
  return stack.length === 0 ? null : <ModalDialog stack={stack} />;
}

function ModalDialog({ stack }: { stack: readonly PageView[] }) {
  const workspace = useWorkspace();
  const dialog = useRef<HTMLDialogElement>(null);
  const top = stack.at(-1);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useLayoutEffect(() => {
    const form = dialog.current?.querySelector('form:not([hidden])');
    const wanted =
      form?.querySelector('[data-autofocus]') ??
      form?.querySelector('.modal-body :is(input, textarea, button)') ??
      form?.querySelector('button');
    if (wanted instanceof HTMLElement) wanted.focus();
  }, [top?.id]);
  return (
    <dialog
      ref={dialog}
      class="modal"
      data-testid="modal"
      aria-label={top?.title ?? ''}
      onCancel={(event) => {
        event.preventDefault();
        if (top !== undefined) void workspace.closeView(top.id, false);
      }}
    >
      {stack.map((view) => (
        <ModalView key={view.id} view={view} hidden={view !== top} depth={stack.indexOf(view)} />
      ))}
    </dialog>
  );
}

type Props = { readonly view: PageView; readonly hidden: boolean; readonly depth: number };

function ModalView({ view, hidden, depth }: Props) {
  const workspace = useWorkspace();
  const { boot, errors } = useModel();
  const values = useRef<StateValues>({});
  const [busy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    await workspace.submitView(view.id, values.current);
    setBusy(false);
  };
  return (
    <form
      hidden={hidden}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <header class="modal-header">
        <Avatar user={findUser(boot, boot.app.bot_user)} small />
        <h2>{view.title}</h2>
        <button
          type="button"
          class="plain close"
          aria-label={depth > 0 ? 'Close all' : 'Close'}
          onClick={() => void workspace.closeView(view.id, true)}
        >
          ×
        </button>
      </header>
      <div class="modal-body">
        <SurfaceProvider
          container={{ type: 'view', view_id: view.id }}
          blocks={view.blocks}
          errors={errors[view.id] ?? {}}
          onValues={(next) => {
            values.current = next;
          }}
        >
          <Blocks blocks={view.blocks} />
        </SurfaceProvider>
      </div>
      <Footer view={view} depth={depth} busy={busy} />
    </form>
  );
}

type FooterProps = { readonly view: PageView; readonly depth: number; readonly busy: boolean };

function Footer({ view, depth, busy }: FooterProps) {
  const workspace = useWorkspace();
  return (
    <footer class="modal-footer">
      <button type="button" class="button" onClick={() => void workspace.closeView(view.id, false)}>
        {view.close ?? (depth > 0 ? 'Back' : 'Close')}
      </button>
      {view.submit !== undefined && (
        <button
          type="submit"
          class={`button solid primary${busy ? ' busy' : ''}`}
          disabled={busy}
          aria-busy={busy}
        >
          {view.submit}
        </button>
      )}
    </footer>
  );
}
