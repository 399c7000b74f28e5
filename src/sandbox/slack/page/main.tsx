import { render } from 'preact';

import { moveDate } from '../../moved-date.ts';
import { readAddress, writeAddress } from './address.ts';
import { createApi, openEventFeed } from './api.ts';
import { App } from './app.tsx';
import { mayDo } from './chat/may-do.ts';
import { displayName, findUser, WorkspaceProvider } from './context.ts';
import type { Place } from './model.ts';
import { createControl } from './panel/control.ts';
import { createTour, type Tour } from './tour/tour.ts';
import { TourProvider } from './tour/view.tsx';
import { createWorkspace, type Workspace } from './workspace.ts';

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
  current?.stop();
  current = workspace;
  workspace.subscribe(remember);
  remember();
  render(
    <WorkspaceProvider key={workspace.model().boot.user} value={workspace}>
      <TourProvider value={workspace.model().boot.platform ? tour : null}>
        <App control={control} onActAs={(next) => void actAs(next)} />
      </TourProvider>
    </WorkspaceProvider>,
    root,
  );
}

/** The address and the clock follow the workspace. */
function remember(): void {
  if (current === undefined) return;
  const { boot, place } = current.model();
  moveDate(boot.ahead_ms);
  window.history.replaceState(null, '', writeAddress(boot.user, place, tour.stepNow()?.id));
}

async function actAs(user: string): Promise<void> {
  if (root === null || user === current?.model().boot.user) return;
  await open(root, user, current?.model().place ?? null).catch(fail);
  const person = current === undefined ? undefined : findUser(current.model().boot, user);
  if (person === undefined) return;
  const may = mayDo(person, await control.state().catch(() => undefined));
  current?.toast(`You act as ${displayName(person)}: ${may}`);
}

function fail(): void {
  if (root !== null) root.textContent = 'The workspace does not answer. Reload to try again.';
}

let current: Workspace | undefined;
const root = document.querySelector<HTMLElement>('#page');
const tour: Tour = createTour({
  control,
  actAs,
  workspace: () => {
    if (current === undefined) throw new Error('The page is not drawn yet.');
    return current;
  },
});
tour.subscribe(remember);

/** Goes where the address says, also when only its `#` part was changed. */
async function follow(): Promise<void> {
  const { user, place, tour: step } = readAddress(window.location);
  if (root !== null) await open(root, user, place).catch(fail);
  if (step !== undefined && current !== undefined) tour.start(step);
}
window.addEventListener('hashchange', () => void follow());
void follow();
