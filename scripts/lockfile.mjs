// node scripts/lockfile.mjs FILE ...
// Refuses lockfiles in which a package has no integrity: npm installs such a package unchecked, whatever
// the registry sends. npm writes none for the packages of other platforms when it copies their entries
// from an installed node_modules.

import { readFileSync } from 'node:fs';

/** The entries of a lockfile that npm would install unchecked. Links and bundled packages have no archive of their own. */
function unchecked({ packages }) {
  return Object.entries(packages)
    .filter(([path, { link, inBundle, integrity }]) => path && !link && !inBundle && !integrity)
    .map(([path]) => path);
}

for (const file of process.argv.slice(2)) {
  const paths = unchecked(JSON.parse(readFileSync(file, 'utf8')));
  if (paths.length === 0) continue;
  console.error(`${file} has packages without integrity:\n  ${paths.join('\n  ')}`);
  console.error(
    'Delete their entries and run npm install --package-lock-only, which asks the registry.',
  );
  process.exitCode = 1;
}
