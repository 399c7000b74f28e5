import { beforeEach, expect, test } from 'vitest';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const [ON, OFF] = [
  { recipientId: 'eeeeeeee-0000-4000-a000-000000000001', email: 'finance@acme.example' },
  { recipientId: 'eeeeeeee-0000-4000-a000-000000000002', email: 'archive@acme.example' },
];
const NEW = 'books@acme.example';
const GONE = { recipientId: 'nobody', email: 'nobody@acme.example' };
const LAST =
  '⚠ This is the last enabled recipient in the list: after this nobody gets new invoices by e-mail.';

const add = (email = NEW, enabled = true) =>
  harness.order({ kind: 'recipient.add', email, enabled });
const enable = (recipient = OFF) => harness.order({ kind: 'recipient.enable', ...recipient });
const disable = (recipient = ON) => harness.order({ kind: 'recipient.disable', ...recipient });
const remove = (recipient = ON) => harness.order({ kind: 'recipient.delete', ...recipient });

test('a recipient is added', async () => {
  const { conflict, plan } = await add().look();

  await add().send();

  expect(add().title).toBe('Add the invoice recipient books@acme.example');
  expect({ conflict, before: plan.before }).toEqual({ before: [] });
  expect(read(plan.after)).toEqual(['E-mail: books@acme.example', 'Enabled: yes']);
  expect(plan.consequences).toEqual([
    'Every new invoice is mailed to books@acme.example from now on.',
  ]);
  expect((await add().look()).now).toEqual(plan.after);
  expect((await harness.writes()).length).toBe(1);
});

test('a recipient that is added disabled gets nothing yet', async () => {
  await add(NEW, false).send();

  expect((await add(NEW, false).look()).plan.consequences).toEqual([
    'Nothing is mailed to books@acme.example until it is enabled.',
  ]);
  expect(read((await add().look()).now)).toContain('Enabled: no');
});

test('a second one of the address is refused, before and after', async () => {
  const { conflict } = await add('Finance@acme.example').look();

  expect(conflict).toBe(
    'Finance@acme.example is a recipient already: /billing recipients shows whether it is enabled.',
  );
  expect(await add('Finance@acme.example').refusal()).toBe(conflict);
});

test('a recipient is enabled', async () => {
  const { plan } = await enable().look();

  await enable().send();

  expect(enable().title).toBe('Enable the invoice recipient archive@acme.example');
  expect(read(plan.before)).toEqual(['E-mail: archive@acme.example', 'Enabled: no']);
  expect(read(plan.after)).toEqual(['E-mail: archive@acme.example', 'Enabled: yes']);
  expect((await enable().look()).now).toEqual(plan.after);
  expect((await enable().look()).conflict).toMatch(/^archive@acme\.example is enabled already/);
  expect((await harness.writes()).at(-1)).toMatchObject({
    method: 'PATCH',
    body: { enabled: true },
  });
});

test('the last enabled one is disabled with a warning', async () => {
  const { plan } = await disable().look();
  await enable().send();
  const another = (await disable().look()).plan;

  await disable().send();

  expect(disable().title).toBe('Disable the invoice recipient finance@acme.example');
  expect(plan.consequences).toEqual([
    'New invoices are no longer mailed to finance@acme.example.',
    LAST,
  ]);
  expect(another.consequences).not.toContain(LAST);
  expect((await disable().look()).conflict).toMatch(/^finance@acme\.example is disabled already/);
});

test('a recipient is deleted', async () => {
  const last = (await remove().look()).plan;
  const { plan } = await remove(OFF).look();

  await remove(OFF).send();

  expect(remove(OFF).title).toBe('Delete the invoice recipient archive@acme.example');
  expect(read(plan.before)).toEqual(['E-mail: archive@acme.example', 'Enabled: no']);
  expect(plan.after).toEqual([]);
  expect(last.consequences).toContain(LAST);
  expect(plan.consequences).not.toContain(LAST);
  expect((await remove(OFF).look()).now).toEqual([]);
});

test('one that is gone can be neither switched nor deleted', async () => {
  const sentence =
    'nobody@acme.example is no recipient any more: /billing recipients shows who is.';

  for (const order of [enable(GONE), disable(GONE), remove(GONE)]) {
    expect((await order.look()).conflict).toBe(sentence);
    expect(await order.refusal()).toBe(sentence);
  }
});

test('one of whom the platform does not say whether it is enabled can be switched either way', async () => {
  await harness.fault({ method: 'GET', body: { items: [{ id: 'x', email: 'x@acme.example' }] } });
  const recipient = { recipientId: 'x', email: 'x@acme.example' };

  const looks = [await enable(recipient).look(), await disable(recipient).look()];

  expect(looks.map(({ conflict }) => conflict)).toEqual([undefined, undefined]);
  expect(read(looks[0]!.now)).toContain('Enabled: not said');
  expect(await enable(recipient).settled()).toEqual({ kind: 'unclear' });
});

test('without an answer each is settled by the list', async () => {
  const settled = [
    await add().settled(),
    await add().settled(() => harness.losing(add().send)),
    await add(NEW, false).settled(),
    await enable().settled(),
    await enable().settled(() => harness.losing(enable().send)),
    await disable().settled(() => harness.losing(disable().send)),
    await disable(GONE).settled(),
    await remove().settled(),
    await remove().settled(() => harness.losing(remove().send)),
    await remove().settled(() => harness.fault({ method: 'GET', kind: 'bad-item' })),
  ];

  expect(settled.map(({ kind }) => kind)).toEqual([
    'not done',
    'done',
    'unclear',
    'not done',
    'done',
    'done',
    'not done',
    'not done',
    'done',
    'unclear',
  ]);
});
