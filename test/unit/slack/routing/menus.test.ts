import { expect, it } from 'vitest';
import { route } from '../../../../src/slack/routing/router.ts';
import type { SlackRoutes } from '../../../../src/slack/routing/routes.ts';

const OVERFLOW = { type: 'overflow', action_id: 'menu', block_id: 'menu:acme/shop' };

const unused = { title: 'Ship', run: () => Promise.reject(new Error('never')) };
const FEATURE = {
  actions: [{ ...unused, actionId: 'ship.it' }],
  modals: [{ ...unused, actionId: 'look.in', load: unused.run }],
  forms: [
    { ...unused, actionId: 'fill.in', callbackId: 'form', fill: unused.run, submit: unused.run },
  ],
  reveals: [{ ...unused, actionId: 'show.it', take: unused.run }],
} satisfies SlackRoutes;

type Step = (args: { payload: object; next: () => Promise<void> }) => Promise<void>;

/** The payload by which Bolt finds a listener, once a person has chosen something in a menu. */
async function clickOf(option: string, over: object = {}): Promise<object> {
  const steps: Step[] = [];
  const nothing = (): void => undefined;
  const app = {
    use: (step: Step) => void steps.push(step),
    action: nothing,
    view: nothing,
    event: nothing,
  };
  route({ app } as never, [FEATURE]);
  const payload = { ...OVERFLOW, selected_option: { value: option }, ...over };
  let passed = 0;
  for (const step of steps) await step({ payload, next: async () => void (passed += 1) });
  expect(passed).toBe(1);
  return payload;
}

it.each(['ship.it', 'look.in', 'fill.in'])(
  'a choice in a menu is a click on the button that does the same: %s',
  async (action) => {
    expect(await clickOf(action)).toMatchObject({ action_id: action, value: 'acme/shop' });
  },
);

it('in the menu of an answer has no value: its subject is kept with the answer', async () => {
  const block_id = '6172af15-2250-405f-af92-636f461f750f:3';
  const click = await clickOf('fill.in', { block_id });
  expect(click).toMatchObject({ action_id: 'fill.in', block_id, value: undefined });
  expect(click).toHaveProperty('selected_option', undefined);
});

it.each(['show.it', 'form', 'link', 'answer.share', 'menu', 'ship.it#2', 'ship', ''])(
  'a choice of anything else has no listener: %s',
  async (action) => {
    expect(await clickOf(action)).toMatchObject(OVERFLOW);
  },
);

it.each([{ block_id: 'acme/shop' }, { block_id: undefined }, { action_id: 'menus' }])(
  'nor is another element a menu: %j',
  async (over) => {
    expect(await clickOf('ship.it', over)).toEqual({
      ...OVERFLOW,
      selected_option: { value: 'ship.it' },
      ...over,
    });
  },
);
