import { needRefusal } from '../../access/changes.ts';
import type { Standing } from '../../access/changes.ts';
import { ADMINS, READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HomePart } from '../../slack/routes.ts';
import { readAlert, spendOrWhy } from './read.ts';
import type { AlertBilling } from './read.ts';
import { spendBlocks } from './view.ts';

export interface AlertHomeDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => AlertBilling;
  readonly currency: string;
  readonly clock: Clock;
}

/** This month's spend against the alert, on the home tab of those who may see what costs money (design section 3). */
export function createAlertPart(deps: AlertHomeDeps): HomePart<Standing> {
  const { currency, clock } = deps;
  return {
    title: 'This month’s spend',
    rank: 40,
    async fill(_, who) {
      const standing = await who();
      if (!hasOne(READERS, standing)) return [];
      const isAdmin = hasOne(ADMINS, standing);
      const billing = deps.billing();
      const [{ alert }, spend] = await Promise.all([
        readAlert(billing, isAdmin),
        spendOrWhy(billing, currency, clock.now()),
      ]);
      return spendBlocks({ alert, spend, currency, now: clock.now(), mayAsk: isAdmin });
    },
  };
}

function hasOne(roles: readonly Role[], who: Standing): boolean {
  return needRefusal({ roles }, who) === undefined;
}
