import type { Area } from '../entry.ts';
import { asked, BARE_BRAND } from './workload-data.ts';

const LONG_WORD = 'what is the name of the variable with the address that others call me by';

export const workloadEnv: Area = {
  id: 'workload-env',
  title: '/workload env: variables of every container',
  entries: [
    asked('workload-env-all', 'A person wants to see all variables', 'env'),
    asked('workload-env-all-domain-unset', 'The same, before the domain is configured', 'env', {
      brand: BARE_BRAND,
    }),
    asked('workload-env-token', 'One variable with much to know about it', 'env TOKEN'),
    asked('workload-env-version', 'One variable with a note', 'env SVC_WORKLOAD_VERSION'),
    asked('workload-env-provider', 'One variable of which nothing more is known', 'env provider'),
    asked(
      'workload-env-endpoint',
      'One variable that looks like an address',
      'env global endpoint',
    ),
    asked(
      'workload-env-endpoint-domain-unset',
      'The same, before the domain is configured',
      'env GLOBAL_ENDPOINT',
      { brand: BARE_BRAND },
    ),
    asked('workload-env-gvc', 'A name that other variables contain, too', 'env gvc'),
    asked('workload-env-several', 'A part of several names', 'env work'),
    asked('workload-env-described', 'A word of one description alone', 'env policy'),
    asked('workload-env-described-several', 'A word of several descriptions', 'env serving'),
    asked('workload-env-one-and-others', 'A part of one name, and of descriptions', 'env name'),
    asked(
      'workload-env-tag-instead',
      'A word that is the name of a special tag instead',
      'env largeDisk',
    ),
    asked('workload-env-nearest', 'A misspelled name', 'env tokne'),
    asked('workload-env-nothing', 'A word that nothing has', 'env elephant'),
    asked('workload-env-nothing-long', 'A whole question', `env ${LONG_WORD}`),
    asked('workload-env-health', 'A word about health, which is no variable', 'env health'),
    asked('workload-env-mounter', 'A container that is seen in usage', 'env mounter'),
  ],
};

/** Names of tags, and the special feature of each. */
const TAG_DETAILS: Readonly<Record<string, string>> = {
  publishNotReadyAddresses: 'that is there or not',
  protocol: 'that is deprecated, with another of that name',
  disableServiceMeshInboundPort: 'that takes a port',
  multiZone: 'that is deprecated',
  timeoutSecondsOverride: 'that takes seconds, with a hint',
  disableServiceMeshOutboundCIDR: 'that takes a range, and is restricted',
  k8sClusterRole: 'that takes text, and is restricted',
  ignore: 'that no one should use',
  protected: 'that charts set',
  checksum: 'that takes any text',
  relaxMemoryToCpuRatio: 'whose values no one is sure of',
  externalAuthAddress: 'that its family requires',
  externalAuthScheme: 'that takes one of some words',
  externalAuthTimeout: 'that takes a duration',
  externalAuthFailureAllow: 'that is true or false',
  externalAuthPathPrefix: 'that takes a path',
  rateLimitAddress: 'that the other family requires',
  rateLimitPort: 'with a default',
  rateLimitDomain: 'with a default in words',
  rateLimitDescriptors: 'with a default that is of no use',
};

export const workloadTags: Area = {
  id: 'workload-tags',
  title: '/workload tags: special tags',
  entries: [
    asked('workload-tags-all', 'A person wants to see all special tags', 'tags'),
    ...Object.entries(TAG_DETAILS).map(([name, special]) =>
      asked(`workload-tags-${kebab(name)}`, `One tag ${special}`, `tags ${name}`),
    ),
    asked('workload-tags-several', 'A part of several names', 'tags rateLimit'),
    asked(
      'workload-tags-several-and-others',
      'A part of several names, and of descriptions',
      'tags external',
    ),
    asked(
      'workload-tags-several-and-many-others',
      'A part of some names, and of many descriptions',
      'tags tr',
    ),
    asked('workload-tags-described-several', 'A word of several descriptions', 'tags BYOK'),
    asked('workload-tags-described-one', 'A word of one description', 'tags scheduler'),
    asked('workload-tags-variable-instead', 'A word that is a variable', 'tags TOKEN'),
    asked('workload-tags-nearest', 'A misspelled name', 'tags protcol'),
    asked('workload-tags-nothing', 'A word that nothing has', 'tags elephant'),
    asked('workload-tags-health', 'A value of health, which is no tag', 'tags unhealthy'),
    asked('workload-tags-object-stores', 'Object stores, which have no tag', 'tags object stores'),
  ],
};

function kebab(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z]+)/g, '$1-$2').toLowerCase();
}
