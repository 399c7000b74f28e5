import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Stand-in Slack</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript.</noscript>
    <script type="module" src="/page.js"></script>
  </body>
</html>
`;

/**
 * Bundles the web page in memory. The document loads `/page.js` and `/page.css`: serve them there.
 * Rejects with esbuild's messages when the sources do not compile.
 */
export async function buildPage(): Promise<{ html: string; js: string; css: string }> {
  const source = (path: string): string => fileURLToPath(new URL(`page/${path}`, import.meta.url));
  return { html, ...(await bundlePage(source('main.tsx'), source('styles/page.css'))) };
}

/** A page of Preact and its styles, each as one text. Rejects with esbuild's messages. */
export async function bundlePage(
  script: string,
  styles: string,
): Promise<{ js: string; css: string }> {
  const { outputFiles } = await build({
    entryPoints: { page: script, styles },
    outdir: 'out',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
  });
  const text = (ending: string): string =>
    outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { js: text('.js'), css: text('.css') };
}
