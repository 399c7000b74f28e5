import type { Rule } from './rule.ts';

const DEBUG_HEADERS = 'contract/features/probe.test.ts';
const FIELDS = 'contract/platform/deployment-fields.test.ts';
const DEPLOYMENTS = 'contract/platform/stand-in.test.ts';
const CREDENTIALS = 'contract/platform/credentials.test.ts';
const USAGE = 'contract/platform/usage.test.ts';
const USAGE_TIMES = 'contract/platform/usage-times.test.ts';
const TAG_VALUES = 'contract/platform/tag-values.test.ts';
const VARIABLES = 'unit/features/workload/env-view.test.ts';

/** Spec 4.4 to 4.6: deployments, usage, tag values of an org. */
export const SECTION_4_USAGE: readonly Rule[] = [
  {
    id: '4.4/list-gvc',
    says: 'the GVC’s list has every deployment, one item per workload and location',
    test: [DEPLOYMENTS, 'a GVC is read whole, in one page or in many'],
  },
  {
    id: '4.4/list-gvc-names',
    says: 'deployment names repeat; items are told apart by the workload link',
    test: [
      FIELDS,
      'a deployment belongs to the workload of its link, absolute or relative; names alone repeat',
    ],
  },
  {
    id: '4.4/list-workload',
    says: 'the workload’s list has its own deployments',
    test: [
      FIELDS,
      'the list of a workload is its part of the GVC, and each location is read alone too',
    ],
  },
  {
    id: '4.4/one',
    says: 'one deployment is read by the name of its location',
    test: [
      FIELDS,
      'the list of a workload is its part of the GVC, and each location is read alone too',
    ],
  },
  {
    id: '4.4/view',
    says: 'reading takes view on the workload; deployments have no permissions of their own',
    test: [
      CREDENTIALS,
      'a key that may view workloads reads their deployments, listed or alone: %s',
    ],
  },
  {
    id: '4.4/workload-token',
    says: 'inside a workload SVC_TOKEN is the Authorization header’s value against the org path',
    test: [CREDENTIALS, 'a workload’s own token goes plain, and is forbidden outside: %s'],
  },
  {
    id: '4.4/identity',
    says: 'without an identity the workload can still read its parent org',
    test: [VARIABLES, 'TOKEN reads the parent org also for a workload without an identity'],
  },
  {
    id: '4.4/debug/condition',
    says: 'x-svc-location and x-svc-replica come only with the option, the header and the global endpoint',
    test: [
      DEBUG_HEADERS,
      'come with the option, the header and the global endpoint; else the answer says why not',
    ],
  },
  {
    id: '4.4/debug/location',
    says: 'x-svc-location is where the replica that answered is',
    test: [DEBUG_HEADERS, 'name the location of the replica that answered'],
  },
  {
    id: '4.4/debug/replica',
    says: 'x-svc-replica is the name of the replica that answered',
    test: [DEBUG_HEADERS, 'name the replica that answered'],
  },
  {
    id: '4.4/debug/redeploy',
    says: 'the option takes effect after the workload redeploys',
    test: [DEBUG_HEADERS, 'come once the workload has redeployed with the option, and not before'],
  },
  {
    id: '4.5/sum',
    says: 'usage is summed over the tags not named and grouped by those named',
    test: [
      USAGE,
      'usage is summed over what is not named and grouped by what is, by tags of the platform alone',
    ],
  },
  {
    id: '4.5/body',
    says: 'the body has the fields of a charge query',
    test: [
      USAGE,
      'usage is asked for like charges and comes in periods, groups and values, without prices',
    ],
  },
  {
    id: '4.5/chargeable-items',
    says: 'how chargeableItems are handled is not shown: they are sent, and narrow without prices',
    test: [USAGE, 'chargeable items narrow usage, too, and price nothing'],
  },
  {
    id: '4.5/rule-1/outward',
    says: 'times are aligned outward to whole steps in UTC',
    test: [USAGE_TIMES, 'a query reaches out to whole steps in UTC, weeks from Monday: %s'],
  },
  {
    id: '4.5/rule-1/monday',
    says: 'weeks start on Monday',
    test: [USAGE_TIMES, 'a query reaches out to whole steps in UTC, weeks from Monday: %s'],
  },
  {
    id: '4.5/rule-1/offset',
    says: 'offsets other than Z misalign days, weeks and months',
    test: [
      USAGE_TIMES,
      'a time with another offset than Z is refused before it misaligns days: %s',
    ],
  },
  {
    id: '4.5/rule-2/exact',
    says: 'a plain string is an exact match',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '4.5/rule-2/expression',
    says: 'a string in slashes is a POSIX expression, case-sensitive and unanchored',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '4.5/rule-2/anchors',
    says: '^ and $ anchor it, and /^(a|b)$/ gives alternatives',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '4.5/rule-2/all',
    says: 'several keys must all match',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '4.5/rule-2/volume-index',
    says: 'volumeIndex is matched with an expression such as /^0$/',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '4.5/rule-3',
    says: 'the answer has periods, groups with key, consumptions with value and tags, and no prices',
    test: [
      USAGE,
      'usage is asked for like charges and comes in periods, groups and values, without prices',
    ],
  },
  {
    id: '4.5/rule-3/count',
    says: 'the answer has consumptionCount',
    test: [
      USAGE,
      'usage is asked for like charges and comes in periods, groups and values, without prices',
    ],
  },
  {
    id: '4.5/rule-4',
    says: 'without usage the answer is 200 with periods null',
    test: [USAGE, 'without usage there are no periods at all, and that is no failure'],
  },
  {
    id: '4.5/exact',
    says: 'values are read exactly, fractions and numbers beyond 2^53 included',
    test: [USAGE, 'values stay exact, also beyond 2^53 and behind the point'],
  },
  {
    id: '4.6/body',
    says: 'the body has startTime, endTime, tag and filterBy',
    test: [
      TAG_VALUES,
      'the values of an org come in alphabetical order, with the question and the org in its filter',
    ],
  },
  {
    id: '4.6/echo',
    says: 'the answer echoes the request, with the org added to filterBy',
    test: [
      TAG_VALUES,
      'the values of an org come in alphabetical order, with the question and the org in its filter',
    ],
  },
  {
    id: '4.6/sorted',
    says: 'tagValues are sorted alphabetically',
    test: [
      TAG_VALUES,
      'the values of an org come in alphabetical order, with the question and the org in its filter',
    ],
  },
  {
    id: '4.6/empty-string',
    says: 'an empty string stands for usage that lacks the tag; a feature filter avoids it',
    test: [
      TAG_VALUES,
      'usage without the tag is an empty value, and a filter by feature avoids it: %s',
    ],
  },
  {
    id: '4.6/range-start',
    says: 'the range widens to the month that contains startTime',
    test: [
      TAG_VALUES,
      'values are those of whole months, from the start’s through the one at or after the end: %s',
    ],
  },
  {
    id: '4.6/range-end',
    says: 'through the month that begins at or after endTime, which is always included',
    test: [
      TAG_VALUES,
      'values are those of whole months, from the start’s through the one at or after the end: %s',
    ],
  },
  {
    id: '4.6/lag',
    says: 'values of the current month can lag: fewer or none is no failure, and later ones come',
    test: [
      TAG_VALUES,
      'values of the current month may lag: those that were missing come when it is asked afresh',
    ],
  },
  {
    id: '4.6/lag-not-here',
    says: 'they can, so they need not: in the stand-in the current month is there at once',
    test: [TAG_VALUES, 'in the stand-in the values of the current month do not lag'],
  },
  {
    id: '4.6/none',
    says: 'without usage tagValues is empty and the status 200',
    test: [TAG_VALUES, 'without usage the list of values is empty, and that is no failure: %s'],
  },
];
