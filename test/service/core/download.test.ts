import assert from 'node:assert/strict';
import { parse } from 'content-disposition';
import { Download } from '../../../src/service/core/download.ts';

const headerOf = (...name: string[]) => new Download(Buffer.from('x'), name).headers['Content-Disposition'] ?? '';
const plainName = (header: string) => parse(header, { extended: false }).parameters.filename;

describe('a file to keep', () => {
  const names: [string, string[], string, string][] = [
    ['in plain letters', ['Lease', 'May 2, 2026'], 'Lease – May 2, 2026', 'Lease - May 2, 2026'],
    ['with accents', ['Año Nuevo', '2 de mayo de 2026'], 'Año Nuevo – 2 de mayo de 2026', 'Ano Nuevo - 2 de mayo de 2026'],
    ['in another alphabet', ['Договор'], 'Договор', 'document'],
    ['with accents that stand alone', ['Cafe\u0301'], 'Café', 'Cafe'],
    ['with folders', ['../../etc/passwd', 'a\\b'], '-..-etc-passwd – a-b', '-..-etc-passwd - a-b'],
    ['with a drive and a stream', ['C:\\x:y'], 'C-x-y', 'C-x-y'],
    ['with quotation marks', ['"; filename="evil.exe'], '-; filename=-evil.exe', '-; filename=-evil.exe'],
    ['with lines', ['one\r\nSet-Cookie: a=b\u2028three'], 'one Set-Cookie- a=b three', 'one Set-Cookie- a=b three'],
    ['that turns around', ['invoice\u202efdp.exe'], 'invoicefdp.exe', 'invoicefdp.exe'],
    ['with what cannot be seen', ['a\u200b\u00ad\ufeff\u2060b\u0000\u{e0041}'], 'ab', 'ab'],
    ['with percent signs', ['100%41 sure'], '100%41 sure', '100_41 sure'],
    ['of a hidden file', ['.htaccess.'], 'htaccess', 'htaccess'],
    ['of nothing', ['', ' \u200b '], 'document', 'document'],
    ['of an emoji', ['🎉 party'], '🎉 party', '_ party'],
    ['with half a character', ['a\ud83db'], 'ab', 'ab'],
  ];
  for (const [what, parts, full, ascii] of names) {
    it(`has a safe name ${what}, and one in ASCII`, () => {
      const header = headerOf(...parts);
      assert.match(header, /^attachment; filename[\x20-\x7e]+$/);
      assert.equal(parse(header).parameters.filename, `${full}.pdf`);
      assert.equal(plainName(header), `${ascii}.pdf`);
    });
  }

  it('has a name that every file system takes, however long its title, and keeps the day', () => {
    for (const letter of ['x', 'é', '契', '🎉', 'z\u0300\u0301']) {
      const name = parse(headerOf(letter.repeat(2000), 'December 31, 2026')).parameters.filename ?? '';
      assert.match(name, / – December 31, 2026\.pdf$/);
      assert.ok(Buffer.byteLength(name) <= 255, `${Buffer.byteLength(name)} bytes`);
      assert.ok(name.isWellFormed());
    }
  });
});
