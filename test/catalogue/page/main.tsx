import { render } from 'preact';
import type { Bootstrap } from '../../../src/sandbox/slack/page-protocol.ts';
import type { Api } from '../../../src/sandbox/slack/page/api.ts';
import { WorkspaceProvider } from '../../../src/sandbox/slack/page/context.ts';
import { ConfirmProvider } from '../../../src/sandbox/slack/page/elements/confirm.tsx';
import { createWorkspace } from '../../../src/sandbox/slack/page/workspace.ts';
import type { PageData } from '../page.ts';
import { Catalogue } from './catalogue.tsx';

/** A workspace without a server: every click is taken, and nothing follows. */
function silentApi(boot: Bootstrap): Api {
  const taken = (): Promise<{ ok: true }> => Promise.resolve({ ok: true });
  return {
    bootstrap: () => Promise.resolve(boot),
    messages: () => Promise.resolve({ messages: [] }),
    thread: () => Promise.resolve({ messages: [] }),
    command: taken,
    message: taken,
    action: taken,
    submitView: taken,
    closeView: taken,
    home: taken,
    upload: () => Promise.resolve({ ok: false, error: 'Nothing is uploaded here.' }),
  };
}

async function main(): Promise<void> {
  const data = JSON.parse(document.querySelector('#data')?.textContent ?? '') as PageData;
  // Times are shown relative to the moment of the catalogue, not of its reader.
  Date.now = () => data.now;
  const workspace = await createWorkspace(
    {
      api: silentApi(data.boot as Bootstrap),
      openEvents: () => () => undefined,
      now: Date.now,
      later: () => undefined,
    },
    null,
    null,
  );
  const root = document.querySelector('#catalogue');
  if (root === null) return;
  render(
    <WorkspaceProvider value={workspace}>
      <ConfirmProvider>
        <Catalogue areas={data.areas} />
      </ConfirmProvider>
    </WorkspaceProvider>,
    root,
  );
  // The linked element exists only now.
  document.querySelector(`[id="${window.location.hash.slice(1)}"]`)?.scrollIntoView();
}

void main();
