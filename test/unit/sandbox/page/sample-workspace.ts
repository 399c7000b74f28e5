import type { Bootstrap, PageMessage } from '../../../../src/sandbox/slack/page-protocol.ts';

const person = {
  email: 'someone@acme.example',
  initials: 'A',
  colour: '#123456',
  is_bot: false,
  is_restricted: false,
  is_stranger: false,
  deleted: false,
};

/** Ada's view: two channels, the direct message with the bot, two commands. */
export function sampleBoot(): Bootstrap {
  const channel = { topic: '', bot_is_member: true };
  return {
    team: { id: 'T1', name: 'Acme', domain: 'acme' },
    user: 'U1',
    app: { id: 'A1', name: 'Bot', bot_user: 'UB', home_tab: true, messages_tab: true },
    users: [
      { ...person, id: 'U1', name: 'ada', real_name: 'Ada Admin' },
      { ...person, id: 'U2', name: 'dana', real_name: 'Dev Dana' },
      { ...person, id: 'U3', name: 'gone', real_name: 'Dan Deleted', deleted: true },
      { ...person, id: 'UB', name: 'bot', real_name: 'Bot', is_bot: true },
    ],
    can_act_as: ['U1', 'U2'],
    channels: [
      { ...channel, id: 'C1', name: 'deployments', kind: 'public' },
      { ...channel, id: 'C2', name: 'ops', kind: 'private' },
      { ...channel, id: 'D1', name: 'Bot', kind: 'dm', with_user: 'UB' },
    ],
    usergroups: [],
    commands: [
      { command: '/deployments', description: 'Status', usage_hint: 'GVC' },
      { command: '/usage', description: 'Quantities', usage_hint: '' },
    ],
    views: [],
    home: null,
    unread: {},
    demo: null,
    ahead_ms: 0,
    platform: false,
  };
}

/** A message of the bot in the first channel. */
export function sampleMessage(ts: string, more: Partial<PageMessage> = {}): PageMessage {
  return {
    channel: 'C1',
    ts,
    user: 'UB',
    text: `message ${ts}`,
    blocks: [],
    files: [],
    broadcast: false,
    edited: false,
    ephemeral: false,
    system: false,
    ...more,
  };
}
