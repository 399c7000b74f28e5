import { expect, it } from 'vitest';
import { createListeners } from '../../../../src/slack/routing/listeners.ts';

const OVERFLOW = { type: 'overflow', action_id: 'menu', block_id: 'menu:acme/shop' };

/** The payloads that the listener of the action gets, once a person has chosen it in a menu. */
async function clicksOf(over: object = {}): Promise<object[]> {
  let choose: (args: object) => Promise<void> = async () => undefined;
  const nothing = (): void => undefined;
  const app = {
    command: nothing,
    view: nothing,
    event: nothing,
    action: (_: RegExp, listener: typeof choose) => void (choose = listener),
  };
  const clicks: object[] = [];
  createListeners(app as never).action(/^ship\.it$/, async ({ payload }) => {
    clicks.push(payload);
  });
  const payload = { ...OVERFLOW, selected_option: { value: 'ship.it' }, ...over };
  await choose({ payload, body: {} });
  return clicks;
}

it('a choice in a menu is a click on the button that does the same', async () => {
  const [click] = await clicksOf();
  expect(click).toEqual({
    ...OVERFLOW,
    action_id: 'ship.it',
    value: 'acme/shop',
    selected_option: undefined,
  });
});

it('in the menu of an answer has no value: its subject is kept with the answer', async () => {
  const block_id = '6172af15-2250-405f-af92-636f461f750f:3';
  const [click] = await clicksOf({ block_id });
  expect(click).toMatchObject({ action_id: 'ship.it', block_id, value: undefined });
});

it.each([
  { block_id: 'acme/shop' },
  { block_id: undefined },
  { action_id: 'menus' },
  { selected_option: { value: 'ship' } },
])('has no listener where it is another element, or another choice: %j', async (over) => {
  expect(await clicksOf(over)).toEqual([]);
});
