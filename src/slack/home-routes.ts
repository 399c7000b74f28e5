import type { App } from '@slack/bolt';
import { personOf } from './click.ts';
import { REFRESH_ACTION } from './home-view.ts';
import type { Home } from './home.ts';

/** Connects the home tab: it is drawn whenever somebody opens it, and anew on **Refresh**. */
export function routeHome({ app, home }: { app: App; home: Home }): void {
  app.event('app_home_opened', async ({ event, body }) => {
    // The messages tab of the app is the other one.
    if (event.tab === 'messages') return;
    await home.show({ userId: event.user, teamId: body.team_id });
  });
  app.action(REFRESH_ACTION, async ({ ack, body }) => {
    await ack();
    if (body.type === 'block_actions') await home.refresh(personOf(body));
  });
}
