import { describe, expect, it } from 'vitest';
import {
  type Click,
  createListeners,
  formValues,
  valueOf,
} from '../../../../src/slack/routing/clicks.ts';
import * as fc from '../../../support/fast-check.ts';
import { pretendedBolt } from './routed.ts';

/** How the bot reads a click on this element. */
async function clickOn(element: object): Promise<Click | undefined> {
  const bolt = pretendedBolt();
  let click: Click | undefined;
  createListeners(bolt.app, async () => true).click('ship.it', async (one) => void (click = one));
  await bolt.click(element);
  return click;
}

const MENU = { type: 'overflow', action_id: 'menu', block_id: 'menu:acme/shop' };
const chosen = { ...MENU, selected_option: { value: 'ship.it' } };
const ANSWER = '6172af15-2250-405f-af92-636f461f750f';

describe('a click', () => {
  it.each([
    ['a button', { type: 'button', action_id: 'ship.it', value: 'cart' }, 'cart'],
    ['a button that is there twice', { action_id: 'ship.it#12', value: 'cart' }, 'cart'],
    ['a choice in a menu, which does the same', chosen, 'acme/shop'],
    ['a choice in the menu of an answer', { ...chosen, block_id: `${ANSWER}:3` }, undefined],
  ])('is %s', async (_, element, value) => {
    expect(await clickOn(element)).toMatchObject({ what: 'ship.it', context: { value } });
  });

  it.each([
    { action_id: 'ship.its' },
    { action_id: 'shipxit' },
    { action_id: 'my.ship.it' },
    { action_id: 'ship.it2' },
    { action_id: 'link#1' },
    { ...chosen, block_id: 'acme/shop' },
    { ...chosen, block_id: undefined },
    { ...chosen, action_id: 'menus' },
    { ...chosen, selected_option: { value: 'ship' } },
    {},
  ])(
    'does not reach the listener on another element, or by another choice: %j',
    async (element) => {
      expect(await clickOn(element)).toBeUndefined();
    },
  );
});

const option = (value: string) => ({ text: { type: 'plain_text', text: 'x' }, value });

describe('the value of an element', () => {
  it.each<[string, object, unknown]>([
    ['a text', { type: 'plain_text_input', value: 'acme' }, 'acme'],
    ['an empty text', { type: 'plain_text_input', value: null }, undefined],
    ['a number', { type: 'number_input', value: '12.5' }, '12.5'],
    ['an address', { type: 'email_text_input', value: 'a@b.c' }, 'a@b.c'],
    ['an option', { type: 'static_select', selected_option: option('day') }, 'day'],
    ['no option', { type: 'radio_buttons', selected_option: null }, undefined],
    ['several', { type: 'checkboxes', selected_options: [option('a'), option('b')] }, ['a', 'b']],
    ['none of several', { type: 'multi_static_select', selected_options: [] }, []],
    ['a date', { type: 'datepicker', selected_date: '2026-10-05' }, '2026-10-05'],
    ['a person', { type: 'users_select', selected_user: 'U0ADA' }, 'U0ADA'],
    ['people', { type: 'multi_users_select', selected_users: ['U0ADA'] }, ['U0ADA']],
    ['files', { type: 'file_input', files: [{ id: 'F1', name: 'a.yaml' }] }, ['F1']],
    ['no file', { type: 'file_input', files: [] }, []],
    ['a button', { type: 'button', value: 'id' }, 'id'],
    ['a bare button', { type: 'button' }, undefined],
  ])('%s', (_, element, value) => {
    expect(valueOf(element)).toEqual(value);
  });

  it('is read from anything', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        const values = Object.values(formValues({ a: anything, b: { c: anything } }));

        for (const value of values.flat()) expect(['string', 'undefined']).toContain(typeof value);
      }),
    );
  });

  it('of a whole form is found by the id of its block', () => {
    const held = { type: 'plain_text_input', value: 'acme' };
    expect(formValues({ org: { whatever: held }, gone: {} })).toEqual({
      org: 'acme',
      gone: undefined,
    });
    expect(formValues(undefined)).toEqual({});
  });
});
