import type { Deployment } from '../../../src/platform/deployments/deployment.ts';
import type { Area } from '../entry.ts';
import {
  AMERICA,
  asked,
  BARE_BRAND,
  BRAND,
  cartIn,
  EUROPE,
  PREFIXED_BRAND,
  refused,
} from './workload-data.ts';

const TYPED = 'addresses shop/cart';
const COMPLETE = `${TYPED} replicas=3 port=8080`;
const TWO = [cartIn(EUROPE), cartIn(AMERICA)];

function inMany(count: number, replicas: number): Deployment[] {
  return Array.from({ length: count }, (_, index) =>
    cartIn(`gcp-zone-${String(index + 1).padStart(3, '0')}`, replicas),
  );
}

export const workloadAddresses: Area = {
  id: 'workload-addresses',
  title: '/workload addresses',
  entries: [
    asked('workload-addresses-plain', 'The addresses of a workload are wanted', TYPED, {
      deployments: TWO,
    }),
    asked('workload-addresses-complete', 'The same, with nothing left open', COMPLETE, {
      deployments: TWO,
    }),
    asked('workload-addresses-one-replica', 'One location with one replica', TYPED, {
      deployments: [cartIn(EUROPE, 1)],
    }),
    asked('workload-addresses-org-prefix', 'The org has a prefix of its own', COMPLETE, {
      deployments: TWO,
      brand: PREFIXED_BRAND,
    }),
    asked(
      'workload-addresses-nothing-configured',
      'No domain is configured, and none seen',
      TYPED,
      {
        deployments: [cartIn(EUROPE, 2, { endpoint: undefined })],
        brand: BARE_BRAND,
      },
    ),
    asked('workload-addresses-other-domain', 'The platform reports another domain', COMPLETE, {
      deployments: TWO,
      brand: { ...BRAND, locationDomain: 'places.example.com' },
    }),
    asked('workload-addresses-alias-unknown', 'Nothing shows the alias of the GVC', COMPLETE, {
      deployments: [cartIn(EUROPE, 2, { endpoint: undefined })],
    }),
    asked('workload-addresses-own-host', 'One location reports a host without its name', COMPLETE, {
      deployments: [cartIn(EUROPE), cartIn(AMERICA, 2, { endpoint: 'https://cart.acme.example/' })],
    }),
    asked('workload-addresses-replicas-unknown', 'No number of replicas is reported', TYPED, {
      deployments: [cartIn(EUROPE, null, { versions: [] }), cartIn(AMERICA, 2)],
    }),
    asked('workload-addresses-one-location-empty', 'No replicas run in one location', TYPED, {
      deployments: [cartIn(EUROPE), cartIn(AMERICA, 0)],
    }),
    asked('workload-addresses-all-locations-empty', 'No replicas run anywhere', TYPED, {
      deployments: [cartIn(EUROPE, 0), cartIn(AMERICA, 0)],
    }),
    asked('workload-addresses-many-replicas', 'More replicas than fit', `${TYPED} replicas=1000`, {
      deployments: TWO,
    }),
    asked('workload-addresses-many-locations', 'More locations than fit', COMPLETE, {
      deployments: inMany(120, 3),
    }),
    asked('workload-addresses-cron', 'A cron workload, which serves nothing', TYPED, {
      deployments: [cartIn(EUROPE, 0, { jobExecutions: [] })],
    }),
    asked('workload-addresses-one-skipped', 'One deployment cannot be read', TYPED, {
      deployments: TWO,
      unreadable: 1,
    }),
    asked('workload-addresses-several-skipped', 'Several deployments cannot be read', TYPED, {
      deployments: TWO,
      unreadable: 3,
    }),
    asked('workload-addresses-not-reported', 'A new workload without deployments', TYPED, {
      deployments: [],
    }),
    asked('workload-addresses-none-readable', 'No deployment can be read', TYPED, {
      deployments: [],
      unreadable: 2,
    }),
    refused('workload-addresses-not-found', 'There is no such workload', TYPED),
  ],
};
