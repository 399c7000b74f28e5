import { describe, expect, it } from 'vitest';
import { formValues, valueOf } from '../../../../src/slack/routing/modals.ts';
import * as fc from '../../../support/fast-check.ts';

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
