/** Names that the platform and its tools write, without the brand's prefix: nothing is to be said of them. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  'deployTimestamp',
  'release',
  'run',
  'run-identity',
  'helm',
  'cli-generated',
  'managedByTerraform',
  'terraformProviderVersion',
  'marketplace',
  'marketplace-template',
  'marketplace-template-version',
  'marketplace-gvc',
]);

/** What the names begin with that the platform makes from what a cloud provider or a registry says. */
const OF_PLATFORM = /^(?:aws|azure|docker|gcp|tls)(?![a-z\d])/;

/** Tags of other kinds of resources, as names that may end in a free part after a colon. */
const OF_OTHER_KINDS: readonly (readonly [kind: string, names: readonly string[]])[] = [
  ['a GVC', ['sessionCookie', 'sessionDuration', 'passthruAnnotation', 'terraformReplace']],
  ['a domain', ['skipDNSCheck', 'wildcard', 'clientCertificateValidation', 'routeLimitOverride']],
  ['a location', ['city', 'country', 'continent', 'state']],
  ['an image', ['trivy-scan', 'trivy-scan-time']],
  ['an org', ['custom-logo', 'custom-logo-dark', 'console.tagColumns']],
];

/** Whether the platform or one of its tools writes the tag. @param name without the prefix */
export function isMadeTag(name: string): boolean {
  return OF_TOOLS.has(name) || OF_PLATFORM.test(name);
}

/** The kind of resource on which alone the tag does something: "a GVC". @param name without the prefix */
export function kindOfTag(name: string): string | undefined {
  const [first = ''] = name.split(':', 1);
  return OF_OTHER_KINDS.find(([, names]) => names.includes(first))?.[0];
}
