/** Which endpoints of spec section 4 this stand-in answers. */
export interface CoverageRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly api: 'billing' | 'usage' | 'deployments';
  /** As the specification writes it, `<...>` marking a parameter. */
  readonly path: string;
  readonly coverage: 'supported' | 'partial' | 'absent';
  readonly note: string;
}

/** The rows in the order of the specification; a test compares them with the routes. */
export const COVERAGE: readonly CoverageRow[] = [
  supported(
    'POST',
    '/account/<accountId>/charges/-query',
    'an hour counts once it is over; times are aligned outward as in a usage query',
  ),
  supported(
    'POST',
    '/org/<org>/charges/-query',
    'tiers run over what the org used; `orgs` is ignored',
  ),
  supported(
    'POST',
    '/account/<accountId>/tags/values/query',
    'numbers are listed as text; the current month does not lag',
  ),
  supported('GET', '/chargeable_items', 'the same for every account; one item lacks its `type`'),
  supported(
    'GET',
    '/account/<accountId>/charges/invoices',
    'issued two days after the month; the first covers two months; controls move the status',
  ),
  supported(
    'GET',
    '/account/<accountId>/charges/invoices/pending',
    'one invoice per open month, number 0; a surcharge applies from the month after the seed on',
  ),
  supported(
    'GET',
    '/account/<accountId>/charges/invoices/<invoiceId>',
    'a pending invoice has no page of its own yet: 404',
  ),
  supported(
    'GET',
    '/account/<accountId>/charges/invoices/<invoiceId>/external-url',
    'an empty list for an account without a card',
  ),
  supported(
    'POST',
    '/account/<accountId>/alert',
    'checked every ten minutes from the start on; checks that the clock jumped over are made up for, each under its time',
  ),
  supported(
    'PUT',
    '/account/<accountId>/alert',
    '404 without an alert; what has fired keeps lastTriggered and alertedTimes',
  ),
  supported(
    'GET',
    '/account/<accountId>/alert',
    'whether it is armed shows nowhere; firing sets lastModified, a second later',
  ),
  supported('DELETE', '/account/<accountId>/alert', 'answers an empty object'),
  supported(
    'POST',
    '/account/<accountId>/service-account-token',
    'createdBy of a token made with a token: the creator of that one',
  ),
  supported(
    'GET',
    '/account/<accountId>/service-account-token',
    'lastUsedAt only once it was used, and at most once a minute; expired ones stay listed',
  ),
  supported(
    'DELETE',
    '/account/<accountId>/service-account-token/<tokenId>',
    'what the token did in the last five minutes works on until they are over',
  ),
  supported(
    'GET',
    '/account',
    'role changes show at once here; everywhere else the rights of a token on an account, good or bad, hold for five minutes',
  ),
  supported('GET', '/account/<accountId>', 'an unknown id is a 401, as the processor id is'),
  supported('GET', '/org/<org>/account', 'the account object, bare'),
  supported('GET', '/account/<accountId>/org', 'inactive orgs are listed too'),
  supported(
    'POST',
    '/account/<accountId>/org',
    '400 for a name that is taken; a repeated request shows no key and sends no mail',
  ),
  supported('GET', '/account/<accountId>/user', '{items} of bare records'),
  supported('GET', '/account/<accountId>/user/email/<email>', '{user}'),
  supported('POST', '/account/<accountId>/user', '201 with the bare record'),
  supported(
    'PUT',
    '/account/<accountId>/user/email/<email>',
    '{user}; 400 when the e-mail of the body is another one',
  ),
  supported('DELETE', '/account/<accountId>/user/email/<email>', '204'),
  supported(
    'GET',
    '/account/<accountId>/invoice-delivery/recipients',
    'in the order in which they were added',
  ),
  supported(
    'POST',
    '/account/<accountId>/invoice-delivery/recipients',
    'addresses are compared in lower case',
  ),
  supported(
    'PATCH',
    '/account/<accountId>/invoice-delivery/recipients/<recipientId>',
    'only enabled can be changed',
  ),
  supported(
    'DELETE',
    '/account/<accountId>/invoice-delivery/recipients/<recipientId>',
    '404 when it is gone already',
  ),
  supported(
    'GET',
    '/account/<accountId>/invoice-delivery/deliveries',
    '{items}, newest first; the first try is at once, an address with "bounce" in it gets five',
  ),
  supported(
    'GET',
    '/org/<org>/quotas',
    'a bare array; any key of the org but a readUsage one, and any billing user of its account',
  ),
  supported(
    'POST',
    '/org/<org>/quota-increase-requests',
    'up to double is approved at once, up to ten times is pending for ever, more is denied',
  ),
  {
    api: 'deployments',
    method: 'GET',
    path: '/org/<org>/gvc/<gvc>/workload/-deployment',
    coverage: 'supported',
    note: 'pages of 100 items by default, joined by "next" links',
  },
  {
    api: 'deployments',
    method: 'GET',
    path: '/org/<org>/gvc/<gvc>/workload/<workload>/deployment',
    coverage: 'supported',
    note: 'paged in the same way',
  },
  {
    api: 'deployments',
    method: 'GET',
    path: '/org/<org>/gvc/<gvc>/workload/<workload>/deployment/<location>',
    coverage: 'supported',
    note: '404 until the location has reported, and after the record was dropped',
  },
  {
    api: 'usage',
    method: 'POST',
    path: '/org/<org>/query',
    coverage: 'supported',
    note: 'the body and its refusals are those of a charge query; chargeableItems works here too',
  },
  {
    api: 'usage',
    method: 'POST',
    path: '/org/<org>/tags/values/query',
    coverage: 'supported',
    note: 'numbers are listed as text; the current month does not lag',
  },
];

function supported(method: CoverageRow['method'], path: string, note: string): CoverageRow {
  return { api: 'billing', method, path, coverage: 'supported', note };
}
