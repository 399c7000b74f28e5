import { expect, test } from 'vitest';
import { runsOf } from '../../../support/fast-check.ts';
import type { OrgCreation, QuotaRecord } from '../../../../src/platform/billing/orgs.ts';
import type { Recipient } from '../../../../src/platform/billing/recipients.ts';
import { NEW_ORG, RECORD_CALLS } from './calls.ts';
import {
  bareOrIn,
  isAccount,
  isAskedUser,
  isCreatedToken,
  isDelivery,
  isOnlyAccount,
  isOnlyAlert,
  isOrg,
  isOrgCreation,
  isQuotaRecord,
  isRecipient,
  isToken,
  isUser,
} from './record-oracle.ts';
import { isSilent, UNREADABLE } from './sent.ts';
import { ofAnswer, ofRows, prepareTrial, SHARES } from './trial.ts';
import type { Oracle } from './trial.ts';

/** What such a write answers is not shown in the specification, and not read. */
const isNothing: Oracle = (shown) => shown === undefined;
const isRemoval: Oracle = (shown, { documents }) =>
  documents[0] !== UNREADABLE &&
  ['{"removed":true}', '{"removed":false}'].includes(JSON.stringify(shown));

/** A write whose success may come without a word: then what was asked for is what there is. */
function orAsked(isSaid: Oracle, isAsked: (shown: never) => boolean): Oracle {
  return (shown, sent) =>
    isSilent(sent.answers.at(-1)!.body) ? isAsked(shown as never) : isSaid(shown, sent);
}

const ORACLES: Readonly<Record<string, Oracle>> = {
  'billing.createAlert': isNothing,
  'billing.getAlert': ofAnswer(isOnlyAlert),
  'billing.replaceAlert': isNothing,
  'billing.getAccount': ofAnswer(isOnlyAccount),
  'billing.listAccounts': ofRows(bareOrIn('account', isAccount), 'items'),
  'billing.getPayerOf': ofAnswer(isOnlyAccount),
  'billing.removeAlert': isRemoval,
  'billing.createToken': ofAnswer(isCreatedToken),
  'billing.listTokens': ofRows(isToken, 'items'),
  'billing.removeToken': isNothing,
  'billing.createOrg': orAsked(
    ofAnswer(isOrgCreation),
    ({ name, superuserServiceAccountToken: key }: OrgCreation) =>
      name === NEW_ORG && key === undefined,
  ),
  'billing.listOrgs': ofRows(isOrg, 'items'),
  'billing.addUser': isNothing,
  'billing.setUserRoles': isNothing,
  'billing.getUser': ofAnswer(isAskedUser),
  'billing.listUsers': ofRows(bareOrIn('user', isUser), 'items', 'users'),
  'billing.removeUser': isNothing,
  'billing.addRecipient': orAsked(
    ofAnswer(bareOrIn('recipient', isRecipient)),
    ({ email, enabled }: Recipient) => email === 'ap@acme.example' && enabled === true,
  ),
  'billing.listRecipients': ofRows(bareOrIn('recipient', isRecipient), 'items'),
  'billing.setRecipientEnabled': orAsked(
    ofAnswer(bareOrIn('recipient', isRecipient)),
    ({ enabled }: Recipient) => enabled === true,
  ),
  'billing.removeRecipient': isNothing,
  'billing.listDeliveries': ofRows(isDelivery, 'items', 'deliveries', 'invoiceDeliveries'),
  'billing.listQuotas': ofRows(isQuotaRecord, 'items', 'quotas'),
  'billing.requestQuotaIncrease': orAsked(
    ofAnswer(isQuotaRecord),
    ({ size }: QuotaRecord) => size === 0,
  ),
};
const NAMES = Object.keys(RECORD_CALLS);

const trial = prepareTrial(RECORD_CALLS);

test.each(NAMES)('a true answer is shown as it was said: %s', async (name) => {
  expect(await trial.unspoiled(name, ORACLES[name]!)).toEqual({ fault: undefined, isShown: true });
});

const RUNS = runsOf(SHARES.records);

test(`of ${RUNS} spoiled answers none shows a person, role, consent or amount that was not said`, async () => {
  const { served, shown } = await trial.spoiled(ORACLES, SHARES.records);

  expect(served).toBeGreaterThanOrEqual(RUNS);
  // Neither all refused nor all taken: both sides of the client are reached.
  expect(shown).toBeGreaterThan(RUNS / 4);
  expect(shown).toBeLessThan(RUNS);
});
