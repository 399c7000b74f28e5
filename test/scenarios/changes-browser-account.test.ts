import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { accountOf, COMMENT, playOut } from '../support/change-story.ts';
import type { AccountState, Wish } from '../support/change-story.ts';
import type { Visitor } from '../support/page.ts';
import { createStage } from '../support/stage.ts';
import type { Stage } from '../support/stage.ts';
const HAL = 'hal@acme.example';
const W: Wish[] = [
  { command: '/alert set 500', entries: { Amount: '450.50', Enabled: true } },
  { command: '/alert set', entries: { Amount: '800', Enabled: false } },
  { command: '/alert delete' },
  { command: '/billing users add', entries: { 'E-mail': HAL, Roles: ['billing_viewer', 'org_creator'] } },
  { command: '/billing users roles', first: { entries: { 'E-mail': HAL }, says: `${HAL} has` }, entries: { Roles: ['org_creator', 'billing_admin'] } },
  { command: '/billing users remove', entries: { 'E-mail': HAL } },
  { command: '/billing tokens create', entries: { Name: 'ci', Description: 'pipelines', Roles: ['billing_viewer'], Expires: '2027-12-31' } },
  { command: '/billing tokens delete', entries: { Name: 'sandbox-viewer' } },
  { command: '/billing orgs create', entries: { Name: 'umbrella', 'Type the name again': 'umbrella', Description: 'x', Invitees: `${HAL} dana@acme.example` } },
  { command: '/billing recipients add', entries: { 'E-mail': 'news@acme.example', Enabled: false } },
  { command: '/billing recipients enable', entries: { 'E-mail': 'news@acme.example' } },
  { command: '/billing recipients disable', entries: { 'E-mail': 'news@acme.example' } },
  { command: '/billing recipients delete', entries: { 'E-mail': 'news@acme.example' } },
  { command: '/billing quotas request', entries: { Quota: 'cpu', 'Requested maximum': '200' } },
];
describe.runIf(hasBrowser())('x', () => {
  let stage: Stage; let ada: Visitor; let ben: Visitor;
  beforeAll(async () => {
    stage = await createStage();
    [ada, ben] = await Promise.all([stage.visit('U0ADA'), stage.visit('U0BEN')]);
  });
  afterAll(() => stage?.close());
  it.each(W)('$command', async (wish) => {
    if (wish.command === '/alert set') await stage.world.platform('alert/fire', {});
    const seen = await playOut(stage.world, [ada, ben], wish);
    console.log(JSON.stringify(seen, null, 1).replaceAll('\\n', '\n   '));
    console.log(JSON.stringify(await accountOf(stage.world)));
    expect(1).toBe(1);
  });
});
