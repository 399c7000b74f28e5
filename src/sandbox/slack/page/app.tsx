import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { ChannelHeader, ChannelView } from './chat/channel.tsx';
import { Sidebar } from './chat/sidebar.tsx';
import { ThreadPane } from './chat/thread.tsx';
import { useModel, useWorkspace } from './context.ts';
import { ConfirmProvider } from './elements/confirm.tsx';
import type { Place } from './model.ts';
import type { Control } from './panel/control.ts';
import { PlatformPanel } from './panel/panel.tsx';
import { TourList, useTour } from './tour/view.tsx';
import { AppHeader, AppPlace } from './views/app-place.tsx';
import { Modals } from './views/modal.tsx';

type Props = { readonly control: Control; readonly onActAs: (user: string) => void };

/** The whole page: sidebar, the chosen place, a thread beside it, the platform panel, modals. */
export function App({ control, onActAs }: Props) {
  const model = useModel();
  const [menu, setMenu] = useState(false);
  const [panel, setPanel] = useState(window.innerWidth > 1180);
  return (
    <ConfirmProvider>
      <div class={`page${menu ? ' menu-open' : ''}`}>
        <Sidebar control={control} onActAs={onActAs} onChosen={() => setMenu(false)} />
        <main class="main">
          <header class="pane-header">
            <button
              type="button"
              class="plain menu-button"
              aria-label="Channels"
              aria-expanded={menu}
              onClick={() => setMenu(!menu)}
            >
              ☰
            </button>
            <PlaceHeader place={model.place} />
            <TourSwitch />
            <ThemeSwitch />
            {model.boot.platform && (
              <button
                type="button"
                class="button small panel-button"
                aria-expanded={panel}
                onClick={() => setPanel(!panel)}
              >
                Platform
              </button>
            )}
          </header>
          <TourList />
          {!model.connected && <p class="offline">Connecting to the workspace…</p>}
          <PlaceView place={model.place} />
        </main>
        {model.thread !== null && <ThreadPane thread={model.thread} />}
        {model.boot.platform && panel && (
          <PlatformPanel control={control} onClose={() => setPanel(false)} />
        )}
      </div>
      <Modals />
      <Toasts />
    </ConfirmProvider>
  );
}

function TourSwitch() {
  const tour = useTour();
  if (tour === null) return null;
  const isOpen = tour.state().at !== undefined;
  return (
    <button
      type="button"
      class="button small tour-button"
      aria-expanded={isOpen}
      onClick={() => (isOpen ? tour.close() : tour.start())}
    >
      Tour
    </button>
  );
}

/** Light or dark as the system has it, until this is pressed. */
function ThemeSwitch() {
  const [isDark, setDark] = useState(matchMedia('(prefers-color-scheme: dark)').matches);
  const turn = (): void => {
    document.documentElement.dataset['theme'] = isDark ? 'light' : 'dark';
    setDark(!isDark);
  };
  return (
    <button type="button" class="button small theme-button" aria-pressed={isDark} onClick={turn}>
      Dark
    </button>
  );
}

function PlaceHeader({ place }: { place: Place }) {
  const { boot } = useModel();
  if (place.type === 'app') return <AppHeader tab={place.tab} />;
  const channel = boot.channels.find((each) => each.id === place.id);
  return channel === undefined ? null : <ChannelHeader channel={channel} />;
}

function PlaceView({ place }: { place: Place }) {
  const { boot } = useModel();
  if (place.type === 'app') return <AppPlace tab={place.tab} />;
  const channel = boot.channels.find((each) => each.id === place.id);
  return channel === undefined ? (
    <p class="empty">Choose a channel.</p>
  ) : (
    <ChannelView channel={channel} />
  );
}

/** Short notices; shown again each time, so that they lie over an open modal. */
function Toasts() {
  const { toasts } = useModel();
  const workspace = useWorkspace();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.hidePopover();
    if (toasts.length > 0) box.current?.showPopover();
  }, [toasts]);
  return (
    <div class="toasts" ref={box} popover="manual" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} class="toast">
          {toast.text}
          <button
            type="button"
            class="plain"
            aria-label="Dismiss"
            onClick={() => workspace.dispatch({ type: 'toast_gone', id: toast.id })}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
