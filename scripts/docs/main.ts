// npm run docs: writes what is made from the code into the docs, and prints what is different now.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generated } from './generate.ts';

for (const [path, text] of await generated()) {
  const file = new URL(`../../${path}`, import.meta.url);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  writeFileSync(file, text);
  console.log(`${path} is different now`);
}
