// node scripts/release.mjs check TAG                       ends with 1 unless package.json and CHANGELOG.md are ready
// node scripts/release.mjs notes                           prints the section of this version of CHANGELOG.md
// node scripts/release.mjs manifests IMAGE@DIGEST FOLDER   copies the manifests and compose.yaml with this image

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

const PINNED = /^[\w.:/-]+@sha256:[\da-f]{64}$/;
/** The image of a checkout is built there and has this name. */
const OWN_IMAGE = `image: purser:${version}\n`;
const OWN_COMPOSE = `image: \${PURSER_IMAGE:-purser}\n  build: .\n`;

function section() {
  const [, after] = read('CHANGELOG.md').split(`\n## [${version}] - `);
  const [date = '', ...lines] = after?.split('\n## [')[0].split('\n') ?? [];
  return { date, text: lines.join('\n').trim() };
}

function check(tag) {
  const problems = [
    ...(tag === `v${version}` ? [] : [`The tag is ${tag}, and package.json has ${version}`]),
    ...(/^\d{4}-\d\d-\d\d$/.test(section().date)
      ? []
      : [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`]),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function manifests(image, folder) {
  if (!PINNED.test(image ?? '')) throw new Error(`Give IMAGE@sha256:DIGEST, not ${image}`);
  const kubernetes = join(folder, 'deploy/kubernetes');
  cpSync(join(ROOT, 'deploy/kubernetes'), kubernetes, { recursive: true });
  let filled = 0;
  for (const name of readdirSync(kubernetes, { recursive: true })) {
    if (!name.endsWith('.yaml')) continue;
    const file = join(kubernetes, name);
    const text = readFileSync(file, 'utf8');
    const now = text.replaceAll(OWN_IMAGE, `image: ${image}\n`);
    if (now !== text) filled += 1;
    writeFileSync(file, now);
  }
  const compose = read('compose.yaml').replace(OWN_COMPOSE, `image: ${image}\n`);
  if (filled === 0 || !compose.includes(image)) throw new Error('No place for the image');
  writeFileSync(join(folder, 'compose.yaml'), compose);
  cpSync(join(ROOT, '.env.example'), join(folder, '.env.example'));
}

const [command, ...words] = process.argv.slice(2);
if (command === 'check') check(words[0]);
else if (command === 'notes') console.log(section().text);
else if (command === 'manifests') manifests(words[0], words[1]);
else throw new Error(`Give check, notes or manifests, not ${command}`);
