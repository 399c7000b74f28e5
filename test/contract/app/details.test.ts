import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { createHarness, type Harness } from './harness.ts';

const CHANNEL = 'C0DEPLOYS';
const DETAILS = 'deployments.details';

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness();
});

afterAll(() => harness.close());

interface OpenView {
  id: string;
  title: string;
  blocks: { block_id: string; elements?: { action_id?: string; text?: { text: string } }[] }[];
}

/** The modal that a person has open, once it says something. */
function modalOf(user: string, says: string): Promise<OpenView> {
  return until(`a modal that says ${says}`, async () => {
    const answer = await fetch(`${harness.slackUrl}/page/bootstrap?user=${user}`);
    const { views } = (await answer.json()) as { views: OpenView[] };
    return views.find((view) => JSON.stringify(view.blocks).includes(says));
  });
}

describe('the Details button', () => {
  it('opens a modal with containers, images and resources', async () => {
    const answer = await harness.ask('U0DANA', CHANNEL, '/deployments shop/orders-db');

    await harness.press('U0DANA', CHANNEL, answer, DETAILS);

    const modal = await modalOf('U0DANA', 'MiB');
    expect(modal.title).toBe('Deployment details');
    expect(JSON.stringify(modal.blocks)).toContain('orders-db');
    expect(JSON.stringify(modal.blocks)).toContain('zone');
  });

  it('opens at once and is filled in when a slow platform has answered', async () => {
    const answer = await harness.ask('U0ADA', CHANNEL, '/deployments shop/cart');
    await harness.platform('faults', { faults: [{ path: 'cart/deployment', delayMs: 4_000 }] });

    await harness.press('U0ADA', CHANNEL, answer, DETAILS);

    await modalOf('U0ADA', 'Reading');
    await modalOf('U0ADA', 'MiB');
    await harness.platform('faults', { faults: [] });
    expect(harness.lines()).not.toContain('could not be opened');
  });

  it('says in the modal why nothing can be shown', async () => {
    const answer = await harness.ask('U0BEN', CHANNEL, '/deployments shop/web');
    await harness.platform('delete', { org: 'acme', gvc: 'shop', workload: 'web' });

    await harness.press('U0BEN', CHANNEL, answer, DETAILS);

    const modal = await modalOf('U0BEN', 'There is no shop/web in org acme');
    expect(modal.title).toBe('Deployment details');
  });
});
