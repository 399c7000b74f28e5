import { render } from 'preact';

import { readAddress, writeAddress } from './address.ts';
import { createApi, openEventFeed } from './api.ts';
import { App } from './app.tsx';
import { WorkspaceProvider } from './context.ts';
import type { Place } from './model.ts';
import { createControl } from './panel/control.ts';
import { createWorkspace } from './workspace.ts';

const fetch = window.fetch.bind(window);
const control = createControl(fetch);

/** Draws the page as one person sees it; acting as another one starts over. */
async function open(root: HTMLElement, user: string | null, place: Place | null): Promise<void> {
  const workspace = await createWorkspace(
    {
      api: createApi(fetch),
      openEvents: openEventFeed,
      now: Date.now,
      later: (run, milliseconds) => window.setTimeout(run, milliseconds),
    },
    user,
    place,
  );
  const remember = (): void => {
    const model = workspace.model();
    window.history.replaceState(null, '', writeAddress(model.boot.user, model.place));
  };
  workspace.subscribe(remember);
  remember();
  const onActAs = (next: string): void => {
    workspace.stop();
    open(root, next, workspace.model().place).catch(fail);
  };
  render(
    <WorkspaceProvider key={workspace.model().boot.user} value={workspace}>
      <App control={control} onActAs={onActAs} />
    </WorkspaceProvider>,
    root,
  );
}

function fail(): void {
  const root = document.querySelector('#page');
  if (root !== null) root.textContent = 'The workspace does not answer. Reload to try again.';
}

const root = document.querySelector<HTMLElement>('#page');
const { user, place } = readAddress(window.location);
if (root !== null) open(root, user, place).catch(fail);
