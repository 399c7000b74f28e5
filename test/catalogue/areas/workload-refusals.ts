import { WORKLOAD_HELP } from '../../../src/features/workload/parse.ts';
import { helpAnswer } from '../../../src/slack/replies/help-view.ts';
import { answer, type Area } from '../entry.ts';
import { asked, refused } from './workload-data.ts';

export const workloadHelp: Area = {
  id: 'workload-help',
  title: '/workload help',
  entries: [
    answer('workload-help-all', 'A person types /workload help.', () => helpAnswer(WORKLOAD_HELP)),
    asked('workload-help-nothing-typed', 'Nothing follows the command', ''),
    refused(
      'workload-help-placeholder',
      'The usage is typed with its placeholder',
      'plan replicas=N',
    ),
  ],
};

type Line = readonly [id: string, when: string, line: string];

const UNREADABLE: readonly Line[] = [
  ['unknown-word', 'A misspelled word', 'adresses shop/cart'],
  ['place-alone', 'A workload without a word before it', 'shop/cart'],
  ['unknown-word-far', 'A word like no other', 'restart shop/cart'],
  ['quoted', 'The word is in quotes', '"check"'],
  ['addresses-without-workload', 'The workload is left out', 'addresses'],
  ['probe-without-workload', 'The workload is left out', 'probe'],
  ['addresses-gvc-alone', 'A GVC without a workload', 'addresses shop'],
  ['probe-gvc-alone', 'A GVC without a workload', 'probe shop'],
  ['addresses-location', 'A location is named, too', 'addresses shop/cart/aws-eu-central-1'],
  ['probe-location', 'A location is named, too', 'probe shop/cart/aws-eu-central-1'],
  ['addresses-no-name', 'A name that cannot be one', 'addresses Shop/Cart!'],
  ['addresses-two-workloads', 'Two workloads', 'addresses shop/cart shop/checkout'],
  ['addresses-extra-near', 'A misspelled word behind it', 'addresses shop/cart orgg acme'],
  ['addresses-unknown-key', 'A misspelled key', 'addresses shop/cart pot=8080'],
  ['addresses-unknown-key-far', 'A key like no other', 'addresses shop/cart zone=a'],
  ['probe-unknown-key', 'A key of another command', 'probe shop/cart replicas=3'],
  ['addresses-key-twice', 'A key is given twice', 'addresses shop/cart port=80 port=81'],
  ['addresses-key-empty', 'A key without its value', 'addresses shop/cart port='],
  ['addresses-org-empty', 'The name of the org is left out', 'addresses shop/cart org'],
  ['addresses-replicas', 'No number of replicas', 'addresses shop/cart replicas=some'],
  ['addresses-replicas-many', 'Too many replicas', 'addresses shop/cart replicas=1001'],
  ['addresses-port', 'No port', 'addresses shop/cart port=65536'],
  ['check-extra', 'A word behind check', 'check cart.yaml'],
  ['plan-empty', 'A plan of nothing', 'plan'],
  ['plan-number-alone', 'A number without its key', 'plan 4'],
  ['plan-extra', 'A word that is no key', 'plan replicas=4 quickly'],
  ['plan-replicas', 'A negative number of replicas', 'plan replicas=-4'],
  ['plan-unknown-key', 'A misspelled key', 'plan replicas=4 maxSruge=1'],
  ['plan-surge', 'Half a replica', 'plan replicas=4 maxSurge=1.5'],
  ['plan-unavailable', 'Too large a number', 'plan replicas=4 maxUnavailable=9999'],
  ['plan-min-ready', 'No duration', 'plan replicas=4 minReady=soon'],
  ['plan-min-ready-long', 'More than a day', 'plan replicas=4 minReady=1441m'],
  ['plan-policy', 'A misspelled policy', 'plan replicas=4 policy=paralel'],
  ['plan-policy-far', 'A policy that does not exist', 'plan replicas=4 policy=random'],
];

export const workloadRefusals: Area = {
  id: 'workload-refusals',
  title: '/workload: unreadable lines',
  entries: [
    ...UNREADABLE.map(([id, when, line]) => refused(`workload-unreadable-${id}`, when, line)),
    refused('workload-org-missing', 'There are several orgs', 'addresses shop/cart', {
      orgs: ['acme', 'globex'],
    }),
    refused('workload-org-unknown', 'Purser has no key for the org', 'probe shop/cart org initech'),
  ],
};
