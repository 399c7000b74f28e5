import { REASON } from '../support/changes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { byTopic, playOut, type Wish } from '../support/change-scenario.ts';
import { accountOf, type AccountState } from '../support/changes-raw.ts';
import type { Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

const HAL = 'hal@acme.example';
const NEWS = 'news@acme.example';
const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-12-31`;
const INVITED = `An invitation is e-mailed to ${HAL}.`;
const VERIFIED = 'Verified: matches the request';
const GONE = 'Verified: it is gone';
const RECIPIENT = /^(PATCH|DELETE) \/invoice-delivery\/recipients\/[\da-f-]{36}$/;

interface Scenario extends Wish {
  readonly kind: string;
  readonly viewer: 'ada' | 'ben';
  /** What has happened on the platform before. */
  readonly after?: string;
  /** What the form holds at first. */
  readonly prefilled: Readonly<Record<string, string>>;
  /** Before -> after and what follows, on the card and in the review. */
  readonly says: readonly string[];
  /** The one call that carries it out. */
  readonly call: string | RegExp;
  readonly body?: object;
  /** What reading back has shown at the end, as the card and the requester are told. */
  readonly ends: string;
  /** What the platform has then. */
  readonly state: (account: AccountState) => unknown;
  readonly is: unknown;
}

const rolesOf = (email: string) => (account: AccountState) =>
  account.users.find((user) => user.email === email)?.roles;
const recipientAt = (email: string) => (account: AccountState) =>
  account.recipients.find((recipient) => recipient.email === email)?.enabled;

/** Every kind of design section 5; of a topic, each finds what those before it have left. */
const STORIES: readonly Scenario[] = [
  {
    kind: 'alert.create',
    viewer: 'ben',
    command: '/alert set 500',
    prefilled: { Amount: '500', Enabled: 'The alert is on' },
    entries: { Amount: '450.50' },
    says: ['Amount: $450.50', 'Enabled: yes', 'billing_admin is e-mailed once in a month'],
    call: 'POST /alert',
    body: { alert: { amount: 450.5, enabled: true } },
    ends: VERIFIED,
    state: ({ alert }) => alert,
    is: { amount: 450.5, enabled: true },
  },
  {
    kind: 'alert.replace',
    viewer: 'ada',
    after: 'alert/fire',
    command: '/alert set',
    prefilled: { Amount: '450.5', Enabled: 'The alert is on' },
    entries: { Amount: '800', Enabled: false },
    says: ['Amount: $450.50 → $800.00', 'Enabled: yes → no', 'saving it arms it again'],
    call: 'PUT /alert',
    body: { alert: { amount: 800, enabled: false } },
    ends: VERIFIED,
    state: ({ alert }) => alert,
    is: { amount: 800, enabled: false },
  },
  {
    kind: 'alert.delete',
    viewer: 'ben',
    command: '/alert delete',
    prefilled: {},
    says: ['Will be deleted', 'Amount: $800.00', 'Nobody is warned'],
    call: 'DELETE /alert',
    ends: GONE,
    state: ({ alert }) => alert,
    is: undefined,
  },
  {
    kind: 'user.add',
    viewer: 'ada',
    command: `/billing users add ${HAL}`,
    prefilled: { 'E-mail': HAL, Roles: '' },
    entries: { Roles: ['billing_viewer', 'org_creator'] },
    says: [`E-mail: ${HAL}`, 'Roles: billing_viewer, org_creator', INVITED],
    call: 'POST /user',
    body: { user: { email: HAL, roles: ['billing_viewer', 'org_creator'] } },
    ends: VERIFIED,
    state: rolesOf(HAL),
    is: ['billing_viewer', 'org_creator'],
  },
  {
    kind: 'user.roles',
    viewer: 'ben',
    command: '/billing users roles',
    first: { entries: { 'E-mail': HAL }, says: `${HAL} has billing_viewer and org_creator now` },
    prefilled: { 'E-mail': HAL, Roles: 'billing_viewer, org_creator' },
    entries: { Roles: ['billing_viewer'] },
    says: ['Roles: billing_viewer, org_creator → billing_viewer', 'loses org_creator'],
    call: /^PUT \/user\/email\/hal(@|%40)acme\.example$/,
    body: { user: { email: HAL, roles: ['billing_viewer'] } },
    ends: VERIFIED,
    state: rolesOf(HAL),
    is: ['billing_viewer'],
  },
  {
    kind: 'user.remove',
    viewer: 'ada',
    command: `/billing users remove ${HAL}`,
    prefilled: { 'E-mail': HAL },
    says: ['Will be deleted', 'Roles: billing_viewer', 'can neither see nor change anything'],
    call: /^DELETE \/user\/email\/hal(@|%40)acme\.example$/,
    ends: GONE,
    state: rolesOf(HAL),
    is: undefined,
  },
  {
    kind: 'token.create',
    viewer: 'ben',
    command: '/billing tokens create ci',
    prefilled: { Name: 'ci', Description: '', Roles: '', Expires: '' },
    entries: { Description: 'pipelines', Roles: ['billing_viewer'], Expires: NEXT_YEAR },
    says: ['Name: ci', `Expires: ${NEXT_YEAR} 23:59 UTC`, 'shown once, to the requester only'],
    call: 'POST /service-account-token',
    body: { name: 'ci', description: 'pipelines', roles: ['billing_viewer'] },
    ends: VERIFIED,
    state: ({ tokens }) => tokens.filter(({ name }) => name === 'ci').length,
    is: 1,
  },
  {
    kind: 'token.delete',
    viewer: 'ada',
    command: '/billing tokens delete sandbox-viewer',
    prefilled: { Name: 'sandbox-viewer' },
    says: ['Will be deleted', 'Created by: ada@acme.example', 'for up to 5 minutes'],
    call: /^DELETE \/service-account-token\/[\da-f-]{36}$/,
    ends: GONE,
    state: ({ tokens }) => tokens.filter(({ name }) => name === 'sandbox-viewer').length,
    is: 0,
  },
  {
    kind: 'org.create',
    viewer: 'ben',
    command: '/billing orgs create umbrella',
    prefilled: {
      Name: 'umbrella',
      'Type the name again': '',
      Description: '',
      Tags: '',
      Invitees: '',
      'Superuser key': '',
    },
    entries: {
      'Type the name again': 'umbrella',
      Description: 'rain',
      Tags: 'team=core\nstage=prod',
      Invitees: HAL,
    },
    says: [
      'Name: umbrella',
      'Tags: stage=prod, team=core',
      `Invitees: ${HAL}`,
      'global and permanent',
      INVITED,
    ],
    call: 'POST /org',
    body: {
      org: { name: 'umbrella', description: 'rain', tags: { stage: 'prod', team: 'core' } },
      invitees: [HAL],
    },
    ends: VERIFIED,
    state: ({ orgs }) => orgs.filter(({ name }) => name === 'umbrella').length,
    is: 1,
  },
  {
    kind: 'recipient.add',
    viewer: 'ada',
    command: `/billing recipients add ${NEWS}`,
    prefilled: { 'E-mail': NEWS, Enabled: 'Gets new invoices' },
    entries: { Enabled: false },
    says: [`E-mail: ${NEWS}`, 'Enabled: no', `Nothing is mailed to ${NEWS}`],
    call: 'POST /invoice-delivery/recipients',
    body: { email: NEWS, enabled: false },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: false,
  },
  {
    kind: 'recipient.enable',
    viewer: 'ben',
    command: '/billing recipients enable',
    prefilled: { 'E-mail': '' },
    entries: { 'E-mail': NEWS },
    says: ['Enabled: no → yes', `mailed to ${NEWS}`],
    call: RECIPIENT,
    body: { enabled: true },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: true,
  },
  {
    kind: 'recipient.disable',
    viewer: 'ada',
    command: `/billing recipients disable ${NEWS}`,
    prefilled: { 'E-mail': NEWS },
    says: ['Enabled: yes → no', NEWS],
    call: RECIPIENT,
    body: { enabled: false },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: false,
  },
  {
    kind: 'recipient.delete',
    viewer: 'ben',
    command: `/billing recipients delete ${NEWS}`,
    prefilled: { 'E-mail': NEWS },
    says: ['Will be deleted', `E-mail: ${NEWS}`],
    call: RECIPIENT,
    ends: GONE,
    state: recipientAt(NEWS),
    is: undefined,
  },
  {
    kind: 'quota.request',
    viewer: 'ada',
    command: '/billing quotas request cpu',
    prefilled: { Quota: 'cpu', 'Requested maximum': '' },
    entries: { 'Requested maximum': '200' },
    says: ['Maximum: 128 cores → 200 cores', 'Org: acme'],
    call: 'POST /org/acme/quota-increase-requests',
    body: { quotaName: 'cpu', requestedMax: 200 },
    ends: 'granted by the platform',
    // What the platform has of quotas is what is read back.
    state: () => undefined,
    is: undefined,
  },
];

describe.runIf(hasBrowser())('every kind of change in a browser, as two people', () => {
  let world: World;
  let people: Record<Scenario['viewer'], Visitor>;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    const [ada, ben] = await Promise.all([world.visit('U0ADA'), world.visit('U0BEN')]);
    people = { ada, ben };
  });

  afterAll(() => world?.close());

  it.each(byTopic(STORIES))(
    '%s: what one asks for and the other approves, both see from the form to the audit',
    async (_topic, stories) => {
      for (const story of stories) {
        const { ada, ben } = people;
        if (story.after !== undefined) await world.platform(story.after, {});

        const seen = await playOut(world, story.viewer === 'ada' ? [ada, ben] : [ben, ada], story);

        const [viewer, other] =
          story.viewer === 'ada' ? ['Ada Admin', 'Ben Billing'] : ['Ben Billing', 'Ada Admin'];
        expect(seen.prefilled).toEqual(story.prefilled);
        expect(seen.early).toBe(0);
        for (const text of [seen.card, seen.review]) {
          expect(text).toContain(`requested by @${viewer}`);
          expect(text).toContain(REASON);
        }
        // Whoever approves sees all of it; a card that would be too long shows its first lines.
        for (const words of story.says) expect(seen.review).toContain(words);
        const onCard = seen.card.includes('… and') ? [] : story.says;
        for (const words of onCard) expect(seen.card).toContain(words);
        expect(seen.end).toContain(`approved by @${other}`);
        expect(seen.end).not.toContain('Withdraw');
        for (const text of [seen.end, seen.told]) {
          expect(text).toContain(story.ends);
          expect(text).not.toContain('Done.');
        }
        expect(seen.told.includes('Reveal')).toBe(story.kind === 'token.create');
        expect(seen.audit).toMatch(
          new RegExp(`requested by @${viewer}[^]*approved by @${other}[^]*sent to[^]*done`),
        );
        expect(JSON.stringify(seen)).not.toContain('svc-bsat-');
        expect(seen.sent).toHaveLength(1);
        expect(seen.sent[0]?.call).toMatch(
          typeof story.call === 'string' ? new RegExp(`^${story.call}$`) : story.call,
        );
        expect(seen.sent[0]?.body ?? {}).toMatchObject(story.body ?? {});
        expect({ state: story.state(await accountOf(world)) }).toMatchObject({ state: story.is });
      }
    },
  );
});
