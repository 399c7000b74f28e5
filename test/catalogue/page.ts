import { fileURLToPath } from 'node:url';
import { bundlePage } from '../../src/sandbox/slack/build-page.ts';
import { createSandboxSlack } from '../../src/sandbox/slack/server.ts';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { NOW } from './entry.ts';
import type { RenderedArea } from './render.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

/** The data of the page. */
export interface PageData {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The people, channels and commands of the stand-in workspace, as its own page gets them. */
  readonly boot: unknown;
  readonly areas: readonly RenderedArea[];
}

/** One HTML document with everything in it: data, styles and script. */
export async function pageOf(areas: readonly RenderedArea[]): Promise<string> {
  const [{ js, css }, boot] = await Promise.all([bundle(), bootstrap()]);
  const data: PageData = { now: NOW, boot, areas };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Everything that Purser says</title>
    <link rel="icon" href="data:," />
    <style>${css}</style>
  </head>
  <body>
    <div id="catalogue"></div>
    <noscript>This page needs JavaScript.</noscript>
    <script id="data" type="application/json">${inert(JSON.stringify(data))}</script>
    <script type="module">${inert(js)}</script>
  </body>
</html>
`;
}

/** Escapes the sequences that would end the surrounding element. */
function inert(script: string): string {
  return script.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');
}

function bundle(): Promise<{ js: string; css: string }> {
  const source = (path: string): string => fileURLToPath(new URL(`page/${path}`, import.meta.url));
  return bundlePage(source('main.tsx'), source('page.css'));
}

/** Ada sees all channels. */
async function bootstrap(): Promise<unknown> {
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: MANIFEST,
    platformUrl: 'http://127.0.0.1:9',
  });
  await slack.listen();
  try {
    const answer = await fetch(`${slack.url}/page/bootstrap?user=U0ADA`);
    return await answer.json();
  } finally {
    await slack.close();
  }
}
