import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dayIn, readDate, readNumber } from '../../../dialogs/language/readings.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';

describe('a number', () => {
  const table: [string, string, readonly string[]][] = [
    ['en', '12', ['12']],
    ['en', '12.5', ['12.5']],
    ['en', '49.90', ['49.90']],
    ['en', '-3.25', ['-3.25']],
    ['en', '−3.25', ['-3.25']],
    ['en', '1,500', ['1500']],
    ['en', '1,234,567.89', ['1234567.89']],
    ['en-IN', '1,50,000', ['150000']],
    ['en', '12,5', ['12.5']],
    ['en', '1.500,00', ['1500.00']],
    ['en', '1.500', ['1.500', '1500']],
    ['en', '0.500', ['0.500']],
    ['en', '1500.125', ['1500.125']],
    ['es', '1.500', ['1500']],
    ['es', '1500', ['1500']],
    ['es', '1.234.567,89', ['1234567.89']],
    ['es', '12,5', ['12.5']],
    ['es', '12.5', ['12.5']],
    ['es', '1,500', ['1.500', '1500']],
    ['es', '1 500,5', ['1500.5']],
    ['es-MX', '1,500', ['1500']],
    ['es-MX', '1.500', ['1.500', '1500']],
    ['en', '1e9', []],
    ['en', 'twelve', []],
    ['en', '1,5,0', []],
    ['en', '1.2.3', []],
    ['en', '12 or 13', []],
    ['en', '', []],
    ['ja', '1万5千', ['15000']],
    ['ja', '3億2000万', ['320000000']],
    ['ja', '1.5万', ['15000']],
    ['ja', '1.2345億', ['123450000']],
    ['ja', '1.1万', ['11000']],
    ['ja', '12,345万', ['123450000']],
    ['ja', '１２,３４５万', ['123450000']],
    ['ja', '1,5万', []],
    ['ja', '12,3万', []],
    ['ja', '1,2345万', []],
    ['ja', '1.23456万', []],
    ['de', '1,5万', []],
    ['en', '1,5万', []],
    ['en', '5²', []],
    ['en', '5½', []],
    ['en', '½', []],
    ['en', '5①', []],
    ['ja', '５', ['5']],
    ['ar', '١٬٥٠٠', ['1500']],
    ['en', '9'.repeat(15), ['9'.repeat(15)]],
    ['en', '9'.repeat(16), []],
  ];
  for (const [locale, typed, expected] of table) {
    it(`“${typed}” in ${locale} is ${expected.join(' or ') || 'none'}`, () => {
      assert.deepEqual(readNumber(typed, locale), expected);
    });
  }

  it('that a locale writes, grouped or not, is read as what it was, or asked about', () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    fc.assert(
      fc.property(
        fc.constantFrom('en-US', 'en-GB', 'en-IN', 'es-ES', 'es-MX', 'es-AR'),
        fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
        fc.constantFrom('always', false),
        (locale, thousandths, useGrouping) => {
          const value = thousandths / 1000;
          const typed = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: useGrouping as 'always' }).format(value);
          assert.ok(
            readNumber(typed, locale).some((reading) => Number(reading) === value),
            `${typed} in ${locale}`,
          );
        },
      ),
      { seed },
    );
  });
});

describe('a date', () => {
  const today = '2026-11-20';
  const table: [string, string, readonly string[]][] = [
    ['en', '2026-12-24', ['2026-12-24']],
    ['en', '2026-02-30', []],
    ['en-US', '12/24/2026', ['2026-12-24']],
    ['en-US', '12242026', ['2026-12-24']],
    ['en-GB', '05122026', ['2026-12-05']],
    ['en-US', '05122026', ['2026-05-12']],
    ['en', '12345678', []],
    ['en-US', '24/12/2026', ['2026-12-24']],
    ['en-US', '03/04/2026', ['2026-03-04']],
    ['en-GB', '03/04/2026', ['2026-04-03']],
    ['en-GB', '12/24/2026', ['2026-12-24']],
    ['en', '03/04/2026', ['2026-04-03', '2026-03-04']],
    ['en', '04/04/2026', ['2026-04-04']],
    ['en-CA', '03/04/2026', ['2026-04-03', '2026-03-04']],
    ['es', '03/04/2026', ['2026-04-03']],
    ['es', '24.12.2026', ['2026-12-24']],
    ['en', '24-12-2026', ['2026-12-24']],
    ['en', '31/02/2026', []],
    ['en', '03/04/26', []],
    ['en', '24 Dec 2026', ['2026-12-24']],
    ['en', 'Dec 24, 2026', ['2026-12-24']],
    ['en', 'December 24th 2026', ['2026-12-24']],
    ['en', 'on the 24th of December 2026.', ['2026-12-24']],
    ['en', 'tomorrow', ['2026-11-21']],
    ['es', '24 de diciembre de 2026', ['2026-12-24']],
    ['es', 'el 24 de diciembre de 2026', ['2026-12-24']],
    ['es', '24 dic 2026', ['2026-12-24']],
    ['es', 'mañana', ['2026-11-21']],
    ['es', '24 Dec 2026', ['2026-12-24']],
    ['en', '30 Feb 2026', []],
    ['es', '31 de febrero de 2026', []],
    ['en', '24 December', []],
    ['en', 'Friday', []],
    ['en', 'May', []],
    ['en', '2026', []],
    ['en', '24 Dec 2026 at 5 pm', []],
    ['en', 'from 3 to 5 May 2026', []],
    ['en', 'not 24 Dec 2026', []],
    ['en', 'soon', []],
    // A year of two digits, or of another calendar, is not guessed.
    ['en', '5/6/45', []],
    ['en', '5 May 45', []],
    ['en', 'May 5 45', []],
    ['en', "May 5 '45", []],
    ['en', '20 May 20', []],
    ['en', '5-May-26', []],
    ['en', '5 May 945', []],
    ['en', '5 May 2569', []],
    ['en', '0026-04-03', []],
    ['en', '1447-09-15', []],
    ['en', '15/09/1447', []],
    ['de', '5. Mai 45', []],
    ['de', '05.05.45', []],
    ['es', '5 de mayo de 45', []],
    ['es', '5 de mayo del 45', []],
    ['fr', '5 mai 45', []],
    ['fr', 'le 5 mai 45', []],
    ['ar', '5 مايو 45', []],
    ['ar', '١٥/٠٩/١٤٤٧', []],
    ['ar', '15 رمضان 1447', []],
    ['ja', '26年4月3日', []],
    ['ja', '8年4月3日', []],
    ['ja', '昭和70年5月5日', []],
    ['en', '31/12/1899', []],
    ['en', '1899-12-31', []],
    ['en', '31 December 1899', []],
    ['en', '31/12/1900', ['1900-12-31']],
    ['en', '1900-01-01', ['1900-01-01']],
    ['en', '31 December 2200', ['2200-12-31']],
    ['en', '2200-12-31', ['2200-12-31']],
    ['en', '1 January 2201', []],
    ['en', '2201-01-01', []],
    // Four digits are clear, as are the eras of Japan, and days counted from today.
    ['en', '5 May 1945', ['1945-05-05']],
    ['de', '5. Mai 1945', ['1945-05-05']],
    ['es', '5 de mayo de 1945', ['1945-05-05']],
    ['es', '5 de mayo del 1945', ['1945-05-05']],
    ['fr', 'le 5 mai 1945', ['1945-05-05']],
    ['ar', '5 مايو 1945', ['1945-05-05']],
    ['ja', '1945年5月5日', ['1945-05-05']],
    ['ja', '昭和45年5月5日', ['1970-05-05']],
    ['ja', '明治45年7月3日', ['1912-07-03']],
    ['ja', '令和元年5月5日', ['2019-05-05']],
    ['ja', '令和８年４月３日', ['2026-04-03']],
    ['en', 'in 3 days', ['2026-11-23']],
    ['de', 'übermorgen', ['2026-11-22']],
    ['fr', 'demain', ['2026-11-21']],
    ['ar', 'غداً', ['2026-11-21']],
    ['ja', '明日', ['2026-11-21']],
    ['en', 'in 500 years', []],
    // Spaces beside the marks, and words beside the figures.
    ['de', '1. 2. 2026', ['2026-02-01']],
    ['de', '01. 02. 2026', ['2026-02-01']],
    ['en-GB', '3 / 4 / 2026', ['2026-04-03']],
    ['en', '3 / 4 / 2026', ['2026-04-03', '2026-03-04']],
    ['en-US', '3 - 4 - 2026', ['2026-03-04']],
    ['ja', '2026 / 4 / 3', ['2026-04-03']],
    ['en', 'on 03/04/2026', ['2026-04-03', '2026-03-04']],
    ['en', '03/04/2026.', ['2026-04-03', '2026-03-04']],
    ['en', 'Friday 03/04/2026', ['2026-04-03', '2026-03-04']],
    ['de', 'Fr, 03.04.2026', ['2026-04-03']],
    ['fr', 'le 03/04/2026', ['2026-04-03']],
    ['en', '3 4 2026', []],
    ['en', '', []],
  ];
  for (const [locale, typed, expected] of table) {
    it(`“${typed}” in ${locale} is ${expected.join(' or ') || 'none'}`, () => {
      assert.deepEqual(readDate(typed, locale, today), expected);
    });
  }

  it('is read in the form in which it is shown', () => {
    for (const locale of ['en', 'en-US', 'en-GB', 'en-IN', 'es', 'es-MX', 'es-US', 'de', 'fr', 'ar', 'ja'])
      for (const day of ['2026-12-24', '2026-01-02', '2027-09-30'])
        assert.deepEqual(readDate(makeTexts(locale).date(day), locale, today), [day], `${makeTexts(locale).date(day)} in ${locale}`);
  });

  it('is counted from the day where the customer is', () => {
    const now = Date.UTC(2026, 10, 20, 23, 30);
    assert.equal(dayIn('Europe/Madrid', now), '2026-11-21');
    assert.equal(dayIn('America/New_York', now), '2026-11-20');
    assert.equal(dayIn('Nowhere/Land', now), '2026-11-20');
  });
});
