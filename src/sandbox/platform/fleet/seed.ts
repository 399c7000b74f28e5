import type { Gvc, LocationRecord, Workload } from '../deployments/model.ts';
import { createRecord } from '../deployments/record.ts';
import type { FleetOptions } from './fleet.ts';

const HOUR_MS = 3_600_000;
const LOCATIONS = ['aws-us-west-2', 'gcp-europe-west4', 'azure-eastus2', 'aws-ap-southeast-1'];
const VERSION = 10;
const REPLICAS = 3;

/** Takes a deployment to the 2.2 KB that real ones have; no one may read it (spec 2.12). */
const INTERNAL = {
  syncId: '0'.repeat(16),
  podStatus: Object.fromEntries(
    Array.from({ length: 13 }, (_, pod) => [
      `pod-${pod}-7c9d8f6b5`,
      { phase: 'Running', node: `node-${pod}.internal.example`, startedAt: '2026-01-01T00:00:00Z' },
    ]),
  ),
};

/** GVCs `g000`, `g001`, … with workloads `w0000`, …, all of them ready at version 10. */
export function seedFleet(options: FleetOptions, now: number): Map<string, Gvc> {
  const locations = Array.from(
    { length: options.locations },
    (_, place) => LOCATIONS[place] ?? `byok-${place + 1}`,
  );
  return new Map(
    numbered('g', options.gvcs, 3).map((name, place) => [
      name,
      {
        name,
        alias: `f${String(place).padStart(12, '0')}`,
        locations,
        version: 1,
        workloads: new Map(
          numbered('w', options.workloads, 4).map((workload) => [
            workload,
            seedWorkload(workload, locations, now - HOUR_MS),
          ]),
        ),
      },
    ]),
  );
}

function numbered(letter: string, count: number, digits: number): string[] {
  return Array.from({ length: count }, (_, place) => letter + String(place).padStart(digits, '0'));
}

function seedWorkload(name: string, locations: readonly string[], createdAt: number): Workload {
  const image = `registry.example.com/fleet/${name}`;
  return {
    name,
    type: 'standard',
    version: VERSION,
    replicas: REPLICAS,
    containers: [{ name: 'main', image, cpu: 250, memory: 256 }],
    multiZone: false,
    debug: [],
    wire: { versions: 'integer', links: 'relative', lean: false },
    records: new Map(
      locations.map((location, index) => [location, seedRecord(location, index, createdAt)]),
    ),
  };
}

function seedRecord(location: string, index: number, createdAt: number): LocationRecord {
  const revision = { workload: VERSION, gvc: 1, createdAt };
  const rollout = {
    revision,
    outcome: 'ready',
    processedBefore: VERSION,
    appliedAt: createdAt,
    spanMs: 1,
  } as const;
  const record = createRecord({ location, index, reportsFrom: createdAt, rollout });
  record.patches.push({ internal: INTERNAL });
  return record;
}
