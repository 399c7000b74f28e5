import { chromium } from 'playwright-core';
const [,, out, ...cmds] = process.argv;
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const p = await b.newPage({ viewport: { width: 1360, height: 1000 } });
await p.goto('http://127.0.0.1:4150/?user=U0BEN#C0BILLING');
await p.waitForSelector('[data-testid=composer]');
let i = 0;
for (const c of cmds) {
  if (c.startsWith('click:')) { const n = c.slice(6); await p.getByRole('button', { name: n, exact: true }).last().click(); }
  else if (c.startsWith('wait:')) await p.waitForTimeout(Number(c.slice(5)));
  else if (c.startsWith('shot:')) await p.locator('[data-kind="ephemeral"]').last().screenshot({ path: `${out}-${c.slice(5)}.png` });
  else { const t = p.getByTestId('composer'); await t.fill(c); await p.keyboard.press('Escape'); await t.press('Enter'); await p.waitForTimeout(2500); }
}
await p.screenshot({ path: `${out}.png` });
await b.close();
