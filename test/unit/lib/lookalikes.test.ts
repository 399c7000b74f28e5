import { describe, expect, it } from 'vitest';
import { lookalike, revealed } from '../../../src/lib/lookalikes.ts';
import { stripControl } from '../../../src/lib/text.ts';
import * as fc from '../../support/fast-check.ts';

describe('a name that hides something', () => {
  it.each([
    ['ci\u200B', 'an invisible character (U+200B)', 'ci⟨U+200B⟩'],
    ['ci\u00AD-deploy', 'an invisible character (U+00AD)', 'ci⟨U+00AD⟩-deploy'],
    ['a\u202Egpj.exe', 'an invisible character (U+202E)', 'a⟨U+202E⟩gpj.exe'],
    ['ci\u0007', 'an invisible character (U+0007)', 'ci⟨U+0007⟩'],
    ['ci\u00A0bot', 'an invisible character (U+00A0)', 'ci⟨U+00A0⟩bot'],
    ['ci\u3164', 'an invisible character (U+3164)', 'ci⟨U+3164⟩'],
    ['ci\u2800', 'an invisible character (U+2800)', 'ci⟨U+2800⟩'],
    ['ci\uFE0F', 'an invisible character (U+FE0F)', 'ci⟨U+FE0F⟩'],
    ['ci\u{E0041}', 'an invisible character (U+E0041)', 'ci⟨U+E0041⟩'],
    ['c\u200Di', 'an invisible character (U+200D)', 'c⟨U+200D⟩i'],
    ['ci\uE000', 'an invisible character (U+E000)', 'ci⟨U+E000⟩'],
    ['ci\uD800', 'an invisible character (U+D800)', 'ci⟨U+D800⟩'],
    ['🙂\u200B', 'an invisible character (U+200B)', '🙂⟨U+200B⟩'],
    ['c\u0456', 'letters of two alphabets (Latin and Cyrillic)', 'c\u0456'],
    ['deploy \u0430ws', 'letters of two alphabets (Latin and Cyrillic)', 'deploy \u0430ws'],
    ['pr\u03BFd', 'letters of two alphabets (Latin and Greek)', 'pr\u03BFd'],
    ['\u0430d\u03BF', 'letters of several alphabets (Latin, Greek and Cyrillic)', '\u0430d\u03BF'],
    ['ｐrod', 'a look-alike of "p" (U+FF50)', 'ｐrod'],
    ['ada＠acme.exampl\uFF45', 'a look-alike of "e" (U+FF45)', 'ada＠acme.exampl\uFF45'],
    ['team Ⅻ', 'a look-alike of "XII" (U+216B)', 'team Ⅻ'],
    ['𝐩rod', 'a look-alike of "p" (U+1D429)', '𝐩rod'],
    ['ci𝟏', 'a look-alike of "1" (U+1D7CF)', 'ci𝟏'],
    ['\u212Aey', 'a look-alike of "K" (U+212A)', '\u212Aey'],
    ['prod асе', 'letters of two alphabets (Latin and Cyrillic)', 'prod асе'],
    ['РОСА-1 prod', 'letters of two alphabets (Latin and Cyrillic)', 'РОСА-1 prod'],
    ['prod αιν', 'letters of two alphabets (Latin and Greek)', 'prod αιν'],
    ['ci\u0661', 'a digit other than 0 to 9 (U+0661)', 'ci\u0661'],
    ['v1.\u0967', 'a digit other than 0 to 9 (U+0967)', 'v1.\u0967'],
    // An address is one word.
    [
      '\u0430\u0434\u0430@example.com',
      'letters of two alphabets (Latin and Cyrillic)',
      'ада@example.com',
    ],
  ])('%j has %s', (text, what, shown) => {
    expect({ what: lookalike(text), shown: revealed(text) }).toEqual({ what, shown });
  });
});

describe('an ordinary name', () => {
  it.each([
    'ci',
    'deploy-2026_10 (prod), v1.2 #3 * 50 %',
    'ada+ci@example.com',
    'Zoë Müller-Øst, François',
    'Zoe\u0308',
    'Команда доставки, Киев',
    'Ομάδα',
    'team 平台 と CI',
    'CIサーバー 東京　本番',
    '배포 bot',
    'команда ci',
    'асе',
    'бот с CI',
    'Оса и команда prod',
    'ομάδα ο prod',
    'CO₂, 5 m², µservice, Acme™ №5, 1º, ½, ①, ⓒ',
    'ﾃｽﾄ サーバー（東京）！',
    'فريق',
    'فريق ١٢',
    'team ١٢',
    'می\u200Cخواهم',
    'क्\u200Dष',
    'ระบบCI',
    'ci 🚀 👩‍🚀 ❤️ 👍🏽 1️⃣ 🏳️‍🌈 🇩🇪',
    'two\nlines\tand a tab\r\n',
    '',
  ])('%j is plain', (text) => {
    expect({ what: lookalike(text), shown: revealed(text) }).toEqual({
      what: undefined,
      shown: text,
    });
  });
});

it('leaves nothing that sending would take out, and nothing to reveal again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = revealed(text);

      expect(stripControl(shown)).toBe(shown.replace(/\r\n?/g, '\n'));
      expect(revealed(shown)).toBe(shown);
      expect(shown === text).toBe(lookalike(text)?.startsWith('an invisible') !== true);
    }),
  );
});
