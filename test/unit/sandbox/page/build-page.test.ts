import { expect, it } from 'vitest';
import { buildPage } from '../../../../src/sandbox/slack/build-page.ts';

it('builds a page whose document loads the script and the styles that come with it', async () => {
  const { html, js, css } = await buildPage();

  expect(html).toContain('src="/page.js"');
  expect(html).toContain('href="/page.css"');
  expect(js.includes('/page/events')).toBe(true);
  expect(css.includes('.composer')).toBe(true);
});
