import type { Gate } from './access/gate.ts';
import type { Ground } from './app-ground.ts';
import type { Config } from './config.ts';
import type { Feature } from './features/feature.ts';
import { createWorkloadFeature } from './features/workload/feature.ts';
import { createBareHttp } from './platform/bare-http.ts';
import { createReadFile } from './slack/read-file.ts';

/** `/workload`. What it calls ends when the process is asked to stop. */
export function workloadFeature(config: Config, ground: Ground, gate: Gate): Feature {
  const { api, brand, slack } = config;
  return createWorkloadFeature({
    client: ground.platform,
    bare: createBareHttp(),
    brand,
    orgs: { known: [...api.credentials.keys()], fallback: api.defaultOrg },
    requireOrgAccess: (person) => gate.requireOrgAccess(person),
    readFile: createReadFile({
      client: ground.slack,
      apiUrl: slack.apiUrl,
      botToken: slack.botToken,
    }),
    check: (job) => ground.reports.check(job),
    stopping: ground.stopping.signal,
  });
}
