import { describe, expect, it } from 'vitest';
import { approved, fakeOffice } from './fake-office.ts';

const NOW = [{ name: 'Amount', text: '500.00 USD' }];

/** A change of Ada's that Ben has approved. */
async function afterApproval(overrides: Parameters<typeof fakeOffice>[0] = {}) {
  const office = fakeOffice(overrides);
  await office.file(approved());
  return office;
}

describe('the proof of a change', () => {
  it.each([
    ['something else', NOW.map((fact) => ({ ...fact, text: '400.00 USD' })), true],
    ['nothing', [], true],
    ['the same in other letters', NOW.map((fact) => ({ ...fact, text: '500.00 usd' })), false],
    ['what the platform does not say', NOW.map((fact) => ({ ...fact, text: 'not said' })), false],
  ])('says so when what is read back is %s', async (_, now, isOther) => {
    const office = await afterApproval();
    office.send = () => {
      office.sight = { ...office.sight, now };
      return Promise.resolve({});
    };

    const { outcome } = await office.advance();

    const other =
      'The platform took it, but what was read back is something else: look again in a minute.';
    expect(outcome?.sentence).toBe(isOther ? other : 'Done.');
  });

  it('reads again for some seconds where a list lags behind', async () => {
    const pauses: number[] = [];
    const office = await afterApproval({
      pause(ms) {
        pauses.push(ms);
        if (pauses.length === 2) office.sight = { ...office.sight, now: NOW };
        return Promise.resolve();
      },
    });
    office.send = () => Promise.resolve({});

    const { outcome } = await office.advance();

    expect(outcome).toMatchObject({ sentence: 'Done.', now: NOW });
    expect(pauses).toEqual([1_500, 1_500]);
  });

  it('reads no more than three times again', async () => {
    let pauses = 0;
    const office = await afterApproval({ pause: () => Promise.resolve(void (pauses += 1)) });
    office.send = () => Promise.resolve({});

    expect((await office.advance()).outcome?.sentence).toContain('something else');
    expect(pauses).toBe(3);
  });
});
