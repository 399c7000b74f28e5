import { describe, expect, it } from 'vitest';
import { Change } from '../../../../src/changes/change.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import type { FormContent } from '../../../../src/slack/routing/routes.ts';
import { REASON } from '../../../support/changes.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile } from '../../slack/hostile.ts';
import {
  ADA,
  fieldsOf,
  formHarness,
  optionsOf,
  type FieldBlock,
  type PlatformData,
} from './harness.ts';

const ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;

/** Values that a field may send: good ones, and anything else. */
function anySaid(field: FieldBlock): fc.Arbitrary<string | string[] | undefined> {
  if (field.label.text === 'Reason') return fc.constantFrom(REASON, REASON, ' ');
  const options = optionsOf(field).map(({ value }) => value);
  const good = fc.constantFrom(...options, 'name', '500', '2026-12-31', 'ada@acme.example');
  return fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 2, arbitrary: fc.array(good, { maxLength: 3 }) },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.array(hostile, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Values that a well-meaning person would fill in. */
function likely(field: FieldBlock): fc.Arbitrary<string | string[] | undefined> {
  if (field.label.text === 'Reason') return fc.constant(REASON);
  const options = optionsOf(field).map(({ value }) => value);
  const { type } = field.element;
  if (type === 'checkboxes') return fc.subarray(options, { minLength: 1 });
  if (options.length > 0) return fc.constantFrom(...options);
  if (type === 'datepicker') return fc.constantFrom('2026-12-31', undefined);
  if (type === 'number_input') return fc.double({ min: 0.01, max: 1e9, noNaN: true }).map(String);
  if (/email/.test(type) || field.label.text === 'Invitees') return fc.emailAddress();
  if (field.label.text === 'Tags') return fc.constantFrom('', 'team=core\nstage=prod');
  return fc.constantFrom('name', 'other-name', ' padded ');
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A platform with 500 rows of every kind. @param name of each row */
function crowd(name: (index: number) => string): PlatformData {
  return {
    alert: {},
    orgs: 500,
    users: many(500, (index) => ({ email: `${name(index)}@acme.example`, roles: ROLES })),
    tokens: many(500, (index) => ({ id: `t-${index}`, name: name(index), roles: ROLES })),
    recipients: many(500, (index) => ({
      id: `r-${index}`,
      email: `${name(index)}@acme.example`,
      enabled: undefined,
    })),
    quotas: many(500, (index) => ({ name: name(index), max: name(index), unit: name(index) })),
  };
}

/** All forms, as they open. */
async function allForms(platformData: PlatformData) {
  const harness = formHarness(platformData);
  const names = Object.keys(harness.routes) as (keyof typeof harness.routes)[];
  const opened = names.map(async (name) => ({
    form: harness.routes[name],
    content: await harness.open(name),
  }));
  return Promise.all(opened);
}

/** The reasons for which Slack would refuse the form; empty when it takes the form. */
function faultsOf({ title, submit, blocks, state }: FormContent): string[] {
  const fields = fieldsOf({ blocks });
  const options = fields.flatMap(optionsOf);
  const texts = options.flatMap(({ text, description }) => [text.text, description?.text ?? '-']);
  const lists = fields.flatMap(({ element }) => [
    element.options ?? [],
    ...(element.option_groups?.map((group) => group.options) ?? []),
  ]);
  const ids = fields.map(({ block_id: id }) => id);
  const checks: Record<string, boolean> = {
    title: title.length <= LIMITS.modalTitle && (submit ?? '').length <= LIMITS.modalTitle,
    state: state.length <= 2_000,
    blocks: blocks.length <= LIMITS.modalBlocks,
    size: JSON.stringify(blocks).length < 250_000,
    ids: new Set(ids).size === ids.length && ids.every((id) => id.length <= 255),
    texts: texts.every((text) => text.length > 0 && text.length <= LIMITS.optionText),
    values: options.every(({ value }) => value.length > 0 && value.length <= LIMITS.optionValue),
    lists: lists.every((list) => list.length <= LIMITS.options),
  };
  return Object.keys(checks).filter((name) => checks[name] !== true);
}

describe('Any form', () => {
  it('gives an order that can be filed, or errors under its own fields', async () => {
    const forms = await allForms(crowd((index) => `name-${index}`));
    const sent = forms.map(({ form, content }) =>
      fc.record({
        form: fc.constant(form),
        content: fc.constant(content),
        values: fc.record(
          Object.fromEntries(fieldsOf(content).map((field) => [field.block_id, anySaid(field)])),
          { requiredKeys: [] },
        ),
        state: fc.oneof({ weight: 4, arbitrary: fc.constant(content.state) }, hostile),
      }),
    );

    let filed = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(...sent), async ({ form, content, values, state }) => {
        const verdict = await form.submit({ person: ADA, values, state });
        const ids = fieldsOf(content).map(({ block_id: id }) => id);
        const errors = 'errors' in verdict ? verdict.errors : {};
        const foreign = Object.keys(errors).filter((id) => !ids.includes(id));
        expect(foreign).toEqual([]);
        expect(Object.values(errors).every((text) => /^\S.{5,300}\.$/su.test(text))).toBe(true);
        expect('errors' in verdict).toBe(Object.keys(errors).length > 0);
        filed += 'answer' in verdict ? 1 : 0;
      }),
      { numRuns: 1_500 },
    );
    expect(filed).toBeGreaterThan(fc.runsOf(100));
  });

  it('orders nothing that the book of changes would refuse', async () => {
    const harness = formHarness(crowd((index) => `name-${index}`));
    const contents = await Promise.all(
      (Object.keys(harness.routes) as (keyof typeof harness.routes)[]).map(async (name) => ({
        name,
        content: await harness.open(name),
      })),
    );
    const good = fc.constantFrom(...contents).chain(({ name, content }) =>
      fc.record({
        name: fc.constant(name),
        content: fc.constant(content),
        values: fc.record(
          Object.fromEntries(fieldsOf(content).map((field) => [field.block_id, likely(field)])),
        ),
      }),
    );

    await fc.assert(
      fc.asyncProperty(good, async ({ name, content, values }) => {
        const verdict = await harness.routes[name].submit({
          person: ADA,
          values,
          state: content.state,
        });
        if ('answer' in verdict) await verdict.answer();
      }),
      { numRuns: 500 },
    );
    const refused = harness.orders.filter((order) => !Change.shape.order.safeParse(order).success);
    expect(refused).toEqual([]);
    expect(new Set(harness.orders.map(({ kind }) => kind)).size).toBeGreaterThan(10);
  });

  it.each([
    ['short names', (index: number) => `name-${index}`],
    ['long names', (index: number) => `${index}-${'long'.repeat(30)}`],
    ['names in four bytes', (index: number) => `${index}${'😀'.repeat(30)}`],
    ['names that speak to everybody', (index: number) => `<!channel> \u202e${index}\n\u0000`],
  ])('keeps Slack’s limits with 500 of everything and %s', async (_, name) => {
    const forms = await allForms(crowd(name));

    expect(forms.map(({ content }) => faultsOf(content))).toEqual(forms.map(() => []));
    expect(JSON.stringify(forms.map(({ content }) => content.blocks))).not.toContain(
      '"mrkdwn","text":"<!channel>',
    );
  });
});
