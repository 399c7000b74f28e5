/** Which endpoints of spec section 4 this stand-in answers. */
export interface CoverageRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly api: 'billing' | 'usage' | 'deployments';
  /** As the specification writes it, `<...>` marking a parameter. */
  readonly path: string;
  readonly coverage: 'supported' | 'partial' | 'absent';
  readonly note: string;
}

const LATER = 'not built yet';

/** The rows in the order of the specification; a test compares them with the routes. */
export const COVERAGE: readonly CoverageRow[] = [
  ...absent('POST', '/account/<accountId>/charges/-query', '/org/<org>/charges/-query'),
  ...absent('POST', '/account/<accountId>/tags/values/query'),
  ...absent(
    'GET',
    '/chargeable_items',
    '/account/<accountId>/charges/invoices',
    '/account/<accountId>/charges/invoices/pending',
    '/account/<accountId>/charges/invoices/<invoiceId>',
    '/account/<accountId>/charges/invoices/<invoiceId>/external-url',
  ),
  ...absent('POST', '/account/<accountId>/alert'),
  ...absent('PUT', '/account/<accountId>/alert'),
  ...absent('GET', '/account/<accountId>/alert'),
  ...absent('DELETE', '/account/<accountId>/alert'),
  ...absent('POST', '/account/<accountId>/service-account-token'),
  ...absent('GET', '/account/<accountId>/service-account-token'),
  ...absent('DELETE', '/account/<accountId>/service-account-token/<tokenId>'),
  ...absent(
    'GET',
    '/account',
    '/account/<accountId>',
    '/org/<org>/account',
    '/account/<accountId>/org',
  ),
  ...absent('POST', '/account/<accountId>/org'),
  ...absent('GET', '/account/<accountId>/user', '/account/<accountId>/user/email/<email>'),
  ...absent('POST', '/account/<accountId>/user'),
  ...absent('PUT', '/account/<accountId>/user/email/<email>'),
  ...absent('DELETE', '/account/<accountId>/user/email/<email>'),
  ...absent('GET', '/account/<accountId>/invoice-delivery/recipients'),
  ...absent('POST', '/account/<accountId>/invoice-delivery/recipients'),
  ...absent('PATCH', '/account/<accountId>/invoice-delivery/recipients/<recipientId>'),
  ...absent('DELETE', '/account/<accountId>/invoice-delivery/recipients/<recipientId>'),
  ...absent('GET', '/account/<accountId>/invoice-delivery/deliveries'),
  ...absent('GET', '/org/<org>/quotas'),
  ...absent('POST', '/org/<org>/quota-increase-requests'),
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
  ...absent('POST', '/org/<org>/query', '/org/<org>/tags/values/query').map((row): CoverageRow => ({
    ...row,
    api: 'usage',
  })),
];

function absent(method: CoverageRow['method'], ...paths: string[]): CoverageRow[] {
  return paths.map((path) => ({
    api: 'billing',
    method,
    path,
    coverage: 'absent',
    note: LATER,
  }));
}
