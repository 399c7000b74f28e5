/** Files below `src`, each with the beginnings of texts; none: all its texts. */
type Texts = Readonly<Record<string, readonly string[]>>;

/** Texts that look as if people read them, by the reason why the catalogue does not show them. */
export const UNSAID: Readonly<Record<string, Texts>> = {
  'the hints of the manifest, which Slack shows': {
    'features/alert/feature.ts': ['set [AMOUNT]'],
    'features/billing/feature.ts': ['account | orgs'],
    'features/changes/feature.ts': ['[show ID]'],
    'features/deployments/parse.ts': ['GVC[/WORKLOAD[/LOCATION]] | watch'],
    'features/help/feature.ts': ['help [WORD] |'],
    'features/invoices/parse.ts': ['[list RANGE]'],
    'features/reports/grammar.ts': [
      '[RANGE] [by TAG] [of METRIC] [item',
      '| items | tags TAG',
      '| tags TAG | watch daily',
    ],
    'features/workload/parse.ts': ['addresses GVC/WORKLOAD |'],
  },
  'on Home, where Slack takes no blocks at all': {
    'slack/routing/home.ts': ['Slack does not take this tab'],
  },
  'words that a search leaves out, codes of currencies': {
    'features/help/find.ts': [],
    'reporting/amounts.ts': ['BIF CLP', 'BHD IQD', 'CLF UYW'],
  },
  'kept in the record of a change and its audit; the card says it by its state': {
    'changes/ends.ts': [
      'The platform created the token, its secret was lost on the way, and it could not be',
      'No API deletes such a key',
    ],
    'changes/execute.ts': ['What is there now is not what was approved.'],
    'changes/kinds/quotas.ts': [
      'The platform approved the request.',
      'The platform has the request and decides on it later',
    ],
    'changes/reconcile.ts': [
      'The platform’s answer was lost, and with it the key.',
      'What is there now could not be read.',
      'The platform took it, but something else is there now.',
    ],
  },
  'cannot be: a step is one of an amount and of charges that are known, a platform has fewer metrics':
    {
      'features/alert/notice-view.ts': ['*Spend alert*: not known'],
      'features/reports/totals-view.ts': ['more metrics'],
    },
  'a row of the manifest check: one answer shows the form of all, the unit tests play each': {
    'platform/workload/manifest/rules.ts': [],
    'platform/workload/manifest/schema.ts': [],
    'platform/workload/values.ts': [
      ': a replica may use',
      'leave it out; for more raise',
      'shorten it to',
    ],
  },
  'a heading in a file': {
    'features/invoices/find.ts': ['period status', 'charge in smallest unit'],
  },
  'a key, a pattern, or the name of a font': {
    'features/reports/answer.ts': ['csv of tiers'],
    'features/workload/lookups.ts': ['object storage'],
    'platform/billing/calls.ts': ['record or none'],
    'platform/workload/read.ts': ['Missing closing'],
    'platform/workload/manifest/facts.ts': [],
    'platform/consumption/query.ts': [
      '\b(?:groups? by',
      '\bregular expression',
      String.raw`\.?,? \d{4})(?:,? (?:at )?`,
    ],
  },
  'an answer or a header over HTTP': {
    'slack/connection/http-receiver.ts': ['malformed body', 'malformed payload'],
    'slack/replies/answers.ts': ['application/json'],
  },
  'shown by its reason alone (platform-malformed, platform-timeout, platform-unreachable, platform-unsent); the log has the words':
    {
      'features/reports/digest.ts': ['some charges could not be read'],
      'platform/billing/calls.ts': ['a list that says where it goes on'],
      'platform/billing/charge-rows.ts': ['the answer has no detailed results'],
      'platform/billing/invoices.ts': ['the invoice that was asked for'],
      'platform/billing/orgs.ts': [
        'the org that was asked for',
        'an org with a key that can be read',
      ],
      'platform/billing/tokens.ts': ['a token with its secret'],
      'platform/billing/users.ts': ['the billing user that was asked for'],
      'platform/answer.ts': ['the answer is not of the type'],
      'platform/http.ts': ['the call was given up', 'the platform did not answer in time'],
      'platform/json-text.ts': ['an object has no end'],
      'platform/concurrency.ts': ['the platform was not asked'],
      'platform/errors.ts': ['the platform fell silent', 'the connection to the platform failed'],
      'platform/consumption/result.ts': [],
      'platform/consumption/query.ts': ['the answer has no values of a tag'],
      'platform/deployments/deployment.ts': ['the answer is not a deployment'],
      'slack/sender.ts': [],
    },
  'the reason of a failed read of a channel, which is not reported': {
    'notify/message.ts': ['too many pages'],
  },
  'said where there is no account, and all of the catalogue has one': {
    'features/reports/charges.ts': ['This takes the role billing_admin'],
  },
  'the end of a hint: a refusal leaves it out, and the doctor says what to do': {
    'platform/billing/context.ts': ['on the paying account;'],
    'platform/http.ts': ['it may lack a permission that this takes;'],
    'platform/usage.ts': ['; a deactivated org answers the same'],
  },
  'a cell of a new row, where other rows have a change': {
    'reporting/amounts.ts': ['no data before'],
  },
  'counts what has no room, where a plan has more fields than those of the catalogue': {
    'changes/messages/plan-view.ts': ['more field'],
  },
  'kept in the record of a message': { 'notify/deliver.ts': ['posted in'] },
  'the reason of an outage of monitors, in which it is shown': {
    'features/reports/saved-view.ts': [
      'Purser could not check whether the person who scheduled it',
      'Slack gives no confirmed e-mail address',
    ],
  },
  'a guard: no way is known that leads here, because something before it refuses or decides': {
    'access/policy.ts': ['This changes a billing user, which must not be your own'],
    'changes/kinds/tokens.ts': ['Creating tokens is off here'],
    'features/reports/lists.ts': ['There is no list of chargeable items here.'],
    'reporting/range.ts': ['" is not a range: write for example'],
    'platform/bare-http.ts': ['a call without a credential'],
    'platform/billing/context.ts': ['there may be no account', ', or not for this token;'],
    'platform/consumption/query.ts': ['; did you mean'],
    'platform/workload/read.ts': [
      'cannot be read as YAML or JSON',
      'is the first of more than 512 KB',
    ],
  },
};
