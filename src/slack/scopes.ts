/** A right of the bot token. */
interface BotScope {
  readonly scope: string;
  /** What does not work without it, as the end of a sentence. */
  readonly without: string;
  /** Purser works without it, less well. */
  readonly works?: true;
}

/** Every scope that `manifest.yml` asks for. */
export const BOT_SCOPES: readonly BotScope[] = [
  { scope: 'commands', without: 'no slash command reaches Purser' },
  { scope: 'chat:write', without: 'Purser posts and edits no message' },
  {
    scope: 'channels:history',
    without: 'after a crash a message to a public channel may come twice',
    works: true,
  },
  {
    scope: 'groups:history',
    without: 'after a crash a message to a private channel may come twice',
    works: true,
  },
  {
    scope: 'im:history',
    without: 'after a crash a direct message may come twice',
    works: true,
  },
  {
    scope: 'channels:read',
    without: 'Purser cannot see whether it is in the public channel that a watch names',
    works: true,
  },
  {
    scope: 'groups:read',
    without: 'Purser cannot see whether it is in the private channel that a watch names',
    works: true,
  },
  {
    scope: 'im:write',
    without: 'who asked for a change is not told how it ended, and no file reaches anybody',
  },
  { scope: 'users:read', without: 'Purser does not know who is a guest, and refuses everybody' },
  {
    scope: 'users:read.email',
    without: 'nobody is found on the billing account, so nobody has a role',
  },
  {
    scope: 'usergroups:read',
    without: 'a user group in ORG_ACCESS lets nobody in, and no approvers are mentioned',
  },
  { scope: 'files:write', without: 'no CSV table, chart or invoice PDF can be sent' },
  {
    scope: 'files:read',
    without: '/workload check takes pasted manifests only, no files',
    works: true,
  },
];
