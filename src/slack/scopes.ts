interface BotScope {
  readonly scope: string;
  /** The missing function, as the end of a sentence. */
  readonly without: string;
  /** Purser can do without it: `bot_optional` in the manifest. */
  readonly works?: true;
}

export const BOT_SCOPES: readonly BotScope[] = [
  { scope: 'commands', without: 'no slash command reaches Purser' },
  { scope: 'chat:write', without: 'Purser posts and edits no message' },
  {
    scope: 'channels:history',
    without: 'after a crash a message to a public channel may come twice',
    works: true,
  },
  {
    scope: 'app_mentions:read',
    without: 'Purser does not see what people write after @Purser',
  },
  {
    scope: 'groups:history',
    without: 'after a crash a message to a private channel may come twice',
    works: true,
  },
  {
    scope: 'im:history',
    without:
      'Purser does not see what people write to it, and after a crash a direct message may come twice',
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
    without: 'Purser can’t DM people about their requests or send files',
  },
  { scope: 'users:read', without: 'Purser cannot recognise guests, and refuses everyone' },
  {
    scope: 'users:read.email',
    without: 'Purser finds no one on the billing account, so no one has a role',
  },
  {
    scope: 'usergroups:read',
    without: 'a user group in ORG_ACCESS admits no one, and no approvers are mentioned',
  },
  { scope: 'files:write', without: 'no CSV table or invoice PDF can be sent' },
  {
    scope: 'files:read',
    without: '/workload check takes pasted manifests only, no files',
    works: true,
  },
];
