import assert from 'node:assert/strict';
import { asSpoken } from '../../../dialogs/language/speech.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';

describe('spoken text', () => {
  const t = makeTexts('en-US', { way: 'heard' });
  const inside = (text: string) => /^<speak version="1.0" xmlns="[^"]+" xml:lang="en-US">(.*)<\/speak>$/s.exec(asSpoken(text, t).ssml)?.[1];

  it('marks amounts, days and digits for the speech engine, and writes them out for readers', () => {
    const said = asSpoken(`Pay ${t.money(1128.4, 'USD')} by ${t.date('2026-12-24')}. Number ${t.digits('49')}`, t);
    assert.equal(said.text, 'Pay 1,128.40 US dollars by December 24, 2026. Number 49.');
    assert.match(said.ssml, /Pay <say-as interpret-as="currency" language="en-US">1128.40 USD<\/say-as> by /);
    assert.match(said.ssml, /<say-as interpret-as="date" format="ymd">2026-12-24<\/say-as>\. Number <say-as interpret-as="characters">49</);
  });

  const table: [string, string, string][] = [
    ['markup as its characters', `Ann & <b>'Bob'</b>`, `<s>Ann &amp; &lt;b&gt;&apos;Bob&apos;&lt;/b&gt;.</s>`],
    ['no control characters, nor half of one', 'a\u0000b\u000cc\ud800', '<s>abc\ufffd.</s>'],
    ['a masked number by its end', 'To +1•••0102', '<s>To the number ending in <say-as interpret-as="characters">0102</say-as>.</s>'],
    ['a masked name by its initials', 'Are you M••• T.?', '<s>Are you <say-as interpret-as="characters">MT</say-as>?</s>'],
    ['a masked first name', 'M••• is here', '<s><say-as interpret-as="characters">M</say-as> is here.</s>'],
    ['a masked address', 'j•••@•••.com', '<s>the address that begins with <say-as interpret-as="characters">J</say-as>.</s>'],
    ['a choice with its number', '2. Router – Fibre', '<s>2 for Router, Fibre.</s>'],
    ['no signs and quotes', '✓ “Bill” · paid…', '<s>Bill, paid.</s>'],
    ['one mark after a sentence', '1. Bill – due on 5 December. – $5', '<s>1 for Bill, due on 5 December. $5.</s>'],
    ['one mark after a question', 'Paid? · Yes! – No', '<s>Paid? Yes! No.</s>'],
    ['no addresses', 'Look at https://example.com/a?b=c', '<s>Look at a link.</s>'],
    ['a pause between its lines, and no empty ones', 'One\n\n ● \nTwo!', '<s>One.</s><s>Two!</s>'],
    ['no marks of ours that somebody typed', '\uE000x\uE00Ey', '<s>xy.</s>'],
  ];
  for (const [what, text, ssml] of table) it(`has ${what}`, () => assert.equal(inside(text), ssml));

  it('is in the language of the texts', () => {
    const spanish = asSpoken('Importe', makeTexts('es-MX', { way: 'heard' }));
    assert.match(spanish.ssml, /xml:lang="es-MX"/);
  });
});
