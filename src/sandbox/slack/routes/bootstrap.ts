import { actorOf } from '../acts/payload.ts';
import { pageUser, pageView } from '../page-shapes.ts';
import type { Bootstrap } from '../page-protocol.ts';
import { APP_ID, BOT_USER, TEAM } from '../seed.ts';
import type { DemoControls } from './demo.ts';
import type { Workspace } from '../workspace.ts';

/** All that a page needs to draw itself for this person. Throws ActRefused. */
export function bootstrap(
  workspace: Workspace,
  user: string,
  { platform, demo }: { platform: boolean; demo: DemoControls | undefined },
): Bootstrap {
  const person = actorOf(workspace, user);
  const { directory, manifest, views } = workspace;
  const home = views.home(person.id);
  return {
    team: TEAM,
    user: person.id,
    app: {
      id: APP_ID,
      name: manifest.name,
      bot_user: BOT_USER,
      home_tab: manifest.homeTab,
      messages_tab: manifest.messagesTab,
    },
    users: directory.people.map((one) => pageUser(one, directory)),
    can_act_as: directory.people.filter((one) => !one.isBot && !one.deleted).map(({ id }) => id),
    channels: directory.channelsOf(person.id).map(({ id, name, kind, topic, members }) => ({
      id,
      name: kind === 'dm' ? manifest.name : name,
      kind,
      topic,
      bot_is_member: members.has(BOT_USER),
      ...(kind === 'dm' && { with_user: BOT_USER }),
    })),
    usergroups: directory.usergroups.map(({ id, handle, name }) => ({ id, handle, name })),
    commands: manifest.commands.map(({ command, description, usageHint }) => ({
      command,
      description,
      usage_hint: usageHint,
    })),
    views: views.stack(person.id).map(pageView),
    home: home ? pageView(home) : null,
    unread: unreadOf(workspace, person.id),
    platform,
    demo: demo ? { redis_stays: demo.redisStays ?? null } : null,
    ahead_ms: workspace.aheadMs(),
  };
}

/** The messages of others in each channel since this person read it. */
function unreadOf({ directory, messages, reads }: Workspace, user: string): Bootstrap['unread'] {
  const unread = directory.channelsOf(user).map(({ id }) => {
    const since = reads.get(`${user} ${id}`) ?? 0;
    const news = messages
      .inChannel(id)
      .filter((one) => one.user !== user && Number(one.ts) > since);
    return [id, news.map(({ ts }) => ts)] as const;
  });
  return Object.fromEntries(unread.filter(([, news]) => news.length > 0));
}
