import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { createHouse } from './support.ts';
import type { House } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
const DETAILS = 'deployments.details';

let house: House;

beforeAll(async () => {
  house = await createHouse();
});

afterAll(() => house.close());

interface OpenView {
  title: string;
  blocks: object[];
}

/** The modal that a person has open, once it says something. */
function modalOf(user: string, says: string): Promise<OpenView> {
  return until(`a modal that says ${says}`, async () => {
    const answer = await fetch(`${house.slackUrl}/page/bootstrap?user=${user}`);
    const { views } = (await answer.json()) as { views: OpenView[] };
    return views.find((view) => JSON.stringify(view.blocks).includes(says));
  });
}

describe('the Details button', () => {
  it('opens a modal with containers, images and resources', async () => {
    const answer = await house.ask('U0DANA', CHANNEL, '/deployments shop/orders-db');

    await house.press('U0DANA', CHANNEL, answer, DETAILS);

    const modal = await modalOf('U0DANA', 'MiB');
    expect(modal.title).toBe('Deployment details');
    expect(JSON.stringify(modal.blocks)).toContain('orders-db');
    expect(JSON.stringify(modal.blocks)).toContain('zone');
  });

  it('opens at once and is filled in when a slow platform has answered', async () => {
    const answer = await house.ask('U0ADA', CHANNEL, '/deployments shop/cart');
    await house.platform('faults', { faults: [{ path: 'cart/deployment', delayMs: 4_000 }] });

    await house.press('U0ADA', CHANNEL, answer, DETAILS);

    await modalOf('U0ADA', 'Reading');
    await modalOf('U0ADA', 'MiB');
    await house.platform('faults', { faults: [] });
    expect(house.lines()).not.toContain('could not be opened');
  });

  it('says in the modal why nothing can be shown', async () => {
    const answer = await house.ask('U0BEN', CHANNEL, '/deployments shop/web');
    await house.platform('delete', { org: 'acme', gvc: 'shop', workload: 'web' });

    await house.press('U0BEN', CHANNEL, answer, DETAILS);

    const modal = await modalOf('U0BEN', 'There is no shop/web in org acme');
    expect(modal.title).toBe('Deployment details');
  });
});
