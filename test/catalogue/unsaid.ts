/** Files below `src`, each with the beginnings of texts; none: all its texts. */
type Texts = Readonly<Record<string, readonly string[]>>;

/** Texts that look as if people read them, by the reason why the catalogue does not show them. */
export const UNSAID: Readonly<Record<string, Texts>> = {
  'words that a search leaves out, codes of currencies': {
    'features/help/find.ts': [],
    'figures/money.ts': ['BIF CLP', 'BHD IQD', 'CLF UYW'],
  },
  'a heading in a file': {
    'features/invoices/csv.ts': ['period status', 'charge in smallest unit'],
  },
  'a state whose meaning no answer gives': {
    'rollouts/messages/words.ts': [
      'serving the expected version',
      'the expected version is coming up',
      'the change has not reached this location yet',
      'switched off by suspend',
      'runs on a schedule',
    ],
  },
  'shown with other marks in the place of its backticks': {
    'features/doctor/platform-token-judge.ts': ['set it to the `id`'],
    'platform/billing/explain.ts': [': the account id is the UUID'],
    'platform/workload/tags.ts': ['For values up to 600 use'],
  },
  'a key, a pattern, or the name of a font': {
    'features/workload/remarks-view.ts': ['object storage'],
    'platform/billing/calls.ts': ['record or none'],
    'platform/workload/fields.ts': [],
    'platform/workload/manifest/words.ts': ['Missing closing'],
    'platform/consumption/explain.ts': [],
    'figures/draw-style.ts': [],
  },
  'an answer or a header over HTTP': {
    'slack/http-receiver.ts': ['malformed body'],
    'slack/response-url.ts': ['application/json'],
  },
  'told by its reason alone (platform-malformed, platform-timeout, platform-unreachable, platform-unsent); the log has the words':
    {
      'platform/billing/calls.ts': ['a list that comes to an end'],
      'platform/billing/charge-rows.ts': ['the answer has no detailed results'],
      'platform/billing/invoices.ts': ['the invoice that was asked for'],
      'platform/billing/listing.ts': ['a list that says where it goes on'],
      'platform/billing/orgs.ts': [
        'the org that was asked for',
        'an org with a key that can be read',
      ],
      'platform/billing/quotas.ts': ['a quota increase request'],
      'platform/billing/recipients.ts': ['an invoice e-mail recipient'],
      'platform/billing/tokens.ts': ['a token with its secret'],
      'platform/billing/users.ts': ['the billing user that was asked for'],
      'platform/download.ts': ['the answer is not of the type'],
      'features/report-failed.ts': ['a report was not made'],
      'platform/deadline.ts': [],
      'platform/json-parts.ts': ['an object has no end'],
      'platform/turns.ts': ['the platform was not asked'],
      'platform/failure.ts': ['the platform fell silent', 'the connection to the platform failed'],
      'platform/consumption/result.ts': [],
      'platform/consumption/tag-values.ts': [],
      'platform/deployments/client.ts': ['the answer is not a deployment'],
      'slack/sender.ts': [],
    },
  'the reason of a look into a channel, which nobody is told': {
    'notify/look-back.ts': ['too many pages'],
    'notify/slack-messages.ts': ['too many pages'],
  },
  'what settling finds, as a kind': {
    'changes/settle.ts': ['not done'],
  },
  'stands for the items of a page while it is read': {
    'platform/deployments/page-text.ts': [],
  },
  'a guard: no way is known that leads here, because something before it refuses or decides': {
    'access/changes.ts': ['This changes a billing user, and without a confirmed e-mail'],
    'changes/checks.ts': ['The platform’s answer cannot be understood.'],
    'changes/messages/words.ts': ['people who may read the orgs'],
    'features/changes/forms/token-forms.ts': ['Creating tokens is off here'],
    'features/consumption/tags.ts': ['There is no list of chargeable items here.'],
    'figures/chart.ts': ['There is no usage in it'],
    'figures/range.ts': ['" is no range: write for example'],
    'platform/bare-http.ts': ['a call without a credential'],
    'platform/billing/explain.ts': ['there may be no account', ', or not for this token;'],
    'platform/consumption/check-query.ts': ['; did you mean'],
    'platform/workload/manifest/read.ts': [
      'cannot be read as YAML or JSON',
      'is the first of more than 512 KB',
    ],
    'rollouts/messages/location-view.ts': ['the workload is ready again'],
  },
};
