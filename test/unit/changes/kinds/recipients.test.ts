import { describe, expect, it } from 'vitest';
import { planOn, settledOn } from './planned.ts';

const ON = { id: 'r-1', email: 'on@acme.example', enabled: true };
const OFF = { id: 'r-2', email: 'off@acme.example', enabled: false };
const UNSAID = { id: 'r-3', email: 'unsaid@acme.example', enabled: undefined };
const recipients = [ON, OFF, UNSAID];

const NEW = { kind: 'recipient.add', email: 'new@acme.example', enabled: true } as const;
const selected = ({ id, email }: typeof ON | typeof OFF) => ({ recipientId: id, email });
const ENABLE = { kind: 'recipient.enable', ...selected(OFF) } as const;
const DISABLE = { kind: 'recipient.disable', ...selected(ON) } as const;
const DELETE = { kind: 'recipient.delete', ...selected(ON) } as const;

it('the last enabled recipient has a warning, and one that is disabled has none', async () => {
  const { plan } = await planOn({ recipients: [ON, OFF] }, DELETE);
  const quiet = await planOn({ recipients: [OFF] }, { ...DELETE, ...selected(OFF) });

  expect(plan.consequences).toContainEqual(expect.stringMatching(/^⚠ This is the last enabled/));
  expect(quiet.plan.consequences).toEqual([
    'It is switched off already: no invoice is mailed to it now.',
  ]);
});

it('an address that was deleted and added again since is not reported as gone', async () => {
  const { conflict } = await planOn({ recipients: [{ ...ON, id: 'r-9' }] }, DELETE);

  expect(conflict).toMatchObject({
    code: 'conflict',
    sentence: 'on@acme.example was deleted and added again since: ask again.',
    again: true,
  });
});

describe('a call about a recipient without an answer', () => {
  const added = { id: 'r-9', email: 'New@acme.example', enabled: true };
  it.each([
    [NEW, 'none', [], 'not done'],
    [NEW, 'it', [added], 'done'],
    [NEW, 'it in the other state', [{ ...added, enabled: false }], 'unclear'],
    [ENABLE, 'it as before', [OFF], 'not done'],
    [ENABLE, 'it enabled', [{ ...OFF, enabled: true }], 'done'],
    [ENABLE, 'an unknown state', [{ ...OFF, enabled: undefined }], 'unclear'],
    [DISABLE, 'it disabled', [{ ...ON, enabled: false }], 'done'],
    [DISABLE, 'none', [], 'not done'],
    [DELETE, 'it', [ON], 'not done'],
    [DELETE, 'none', [], 'done'],
  ])('$kind, that finds %s', async (input, _, after, kind) => {
    expect(await settledOn(input, { recipients }, { recipients: after })).toEqual({ kind });
  });

  it('is unclear for a deleted one while a row cannot be read', async () => {
    const settled = await settledOn(DELETE, { recipients }, { skipped: 1 });

    expect(settled).toEqual({ kind: 'unclear' });
  });
});
