import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceProvider } from '../blocks/surface.tsx';
import { ChannelView } from '../chat/channel.tsx';
import { useBoot, useModel, useWorkspace } from '../context.ts';
import { channelOf } from '../model.ts';

/** The app's own place: the home tab that it publishes, and the direct messages with it. */
export function AppPlace({ tab }: { tab: 'home' | 'messages' }) {
  const boot = useBoot();
  const id = channelOf(boot, { type: 'app', tab: 'messages' });
  const channel = boot.channels.find((each) => each.id === id);
  if (tab === 'home') return <HomeTab />;
  if (channel !== undefined) return <ChannelView channel={channel} />;
  return <p class="empty">No messages with {boot.app.name} yet.</p>;
}

/** The tabs over the app's place. */
export function AppHeader({ tab }: { tab: 'home' | 'messages' }) {
  const { app } = useBoot();
  const workspace = useWorkspace();
  const tabs = [
    ...(app.home_tab ? (['home'] as const) : []),
    ...(app.messages_tab ? (['messages'] as const) : []),
  ];
  return (
    <>
      <h1>{app.name}</h1>
      <div class="tabs" role="tablist">
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => workspace.go({ type: 'app', tab: each })}
          >
            {each === 'home' ? 'Home' : 'Messages'}
          </button>
        ))}
      </div>
    </>
  );
}

function HomeTab() {
  const { home, boot } = useModel();
  return (
    <section class="home" aria-label={`${boot.app.name} home`} role="tabpanel" data-testid="home">
      {home === null ? (
        <p class="empty">{boot.app.name} has not published a home tab for you yet.</p>
      ) : (
        <SurfaceProvider container={{ type: 'view', view_id: home.id }} blocks={home.blocks}>
          <Blocks blocks={home.blocks} />
        </SurfaceProvider>
      )}
    </section>
  );
}
