import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAMILIES, hitsIn, passagesOfCode, passagesOfPage } from './count.ts';

/** `npm run lint:words`: prints each place with wording that the style guide replaces, and fails if there is one. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The style guide quotes the words that it replaces; the catalogue's snapshot repeats src. */
const LEFT_OUT =
  /^(docs\/style\.md|scripts\/words\/|test\/unit\/words\.test\.ts|test\/catalogue\/snapshot\/)/;

function paths(): string[] {
  const below = ['src', 'test', 'scripts', 'docs'].flatMap((top) =>
    readdirSync(`${ROOT}${top}`, { recursive: true, encoding: 'utf8' }).map(
      (one) => `${top}/${one}`,
    ),
  );
  return [...below, ...readdirSync(ROOT)]
    .map((path) => relative('.', path))
    .filter((path) => /\.(tsx?|mjs|md)$/.test(path) && !LEFT_OUT.test(path))
    .toSorted();
}

for (const path of paths()) {
  const text = readFileSync(ROOT + path, 'utf8');
  const passages = path.endsWith('.md')
    ? passagesOfPage(text)
    : passagesOfCode(path, text, path.startsWith('src/'));
  for (const { family, line, text: words } of hitsIn(passages)) {
    console.log(`${path}:${line} ${words.slice(0, 120)}\n  instead: ${FAMILIES[family].instead}`);
    process.exitCode = 1;
  }
}
