import { existsSync, readdirSync } from 'node:fs';
import type { Feature } from '../../src/services.ts';
import type { CommandHelp, CommandRoute } from '../../src/slack/routing/routes.ts';

const FEATURES = new URL('../../src/features/', import.meta.url);

type CreateFeature = (...services: unknown[]) => Feature | readonly Feature[];

/** The one `create…Feature`, or `create…Features`, of each folder in `features` that is one, by its name. */
export async function featureCreators(): Promise<ReadonlyMap<string, CreateFeature>> {
  const folders = readdirSync(FEATURES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    // Code that features share may have a folder, too.
    .filter((name) => existsSync(new URL(`${name}/feature.ts`, FEATURES)));
  const found = new Map<string, CreateFeature>();
  for (const folder of folders) {
    const { href } = new URL(`${folder}/feature.ts`, FEATURES);
    const exported = Object.entries((await import(href)) as Record<string, unknown>);
    const [name, create] = exported.find(([key]) => /^create\w+Features?$/.test(key)) ?? [];
    if (name === undefined) throw new Error(`${folder} exports no feature`);
    found.set(name, create as CreateFeature);
  }
  return found;
}

/** A service that lets everybody in and has nothing else. */
const empty = new Proxy(() => [] as CommandHelp[], {
  get: (_, name) => (name === 'requireOrgAccess' ? () => Promise.resolve() : undefined),
});
// Named on the target, so that a copy of the services has it, too.
const named = Object.assign(() => [] as CommandHelp[], { config: undefined });
/** Services of one org, all of them empty. */
const services = new Proxy(named, {
  get: (_, name) => (name === 'orgs' ? { known: ['acme'], fallback: 'acme' } : empty),
});

/** Every command, as its feature makes it. They can be parsed; what follows fails without services. */
export async function allCommands(): Promise<readonly CommandRoute[]> {
  return [...(await featureCreators()).values()].flatMap((create) =>
    [create(services, services, services)].flat().flatMap(({ commands = [] }) => commands),
  );
}
