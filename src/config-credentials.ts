import type { Environment, Problem } from './config-texts.ts';
import type { Values } from './config-variables.ts';
import { Secret } from './lib/secret.ts';
import type { Credential } from './platform/credential.ts';

/**
 * The credential of every org. Where Purser runs as a workload, `"$SVC_TOKEN"` in place of a key (with
 * the brand's prefix) stands for the token that the platform injects; that one is sent plain.
 */
export function toCredentials(
  values: Partial<Pick<Values, 'ORG_TOKENS' | 'BRAND_PREFIX'>>,
  env: Environment,
): { credentials: ReadonlyMap<string, Credential>; problems: readonly Problem[] } {
  const variable = `${(values.BRAND_PREFIX ?? 'svc').toUpperCase()}_TOKEN`;
  const injected = env[variable];
  const credentials = new Map<string, Credential>();
  const problems: Problem[] = [];
  for (const [org, key] of values.ORG_TOKENS ?? []) {
    if (key.reveal() !== `$${variable}`) credentials.set(org, { kind: 'bearer', secret: key });
    else if (injected) credentials.set(org, { kind: 'workload', secret: new Secret(injected) });
    else {
      const message = `org ${org} is to use the workload’s own token, and ${variable} is not set: run Purser as a workload of the platform, or give a service account key`;
      problems.push({ name: 'ORG_TOKENS', message });
    }
  }
  return { credentials, problems };
}
