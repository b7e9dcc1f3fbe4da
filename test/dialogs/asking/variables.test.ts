import assert from 'node:assert/strict';
import { checkVariable } from '../../../dialogs/asking/blanks.ts';
import { type ConversationUnderTest, found, startConversation } from '../../support/conversation-under-test.ts';
import { harmlessWords, hostileWords } from '../../support/hostile-words.ts';

describe('a blank of a document', () => {
  const writing = ['en-US', '2026-11-20'] as const;
  const table: [string, boolean, string | undefined, object][] = [
    ['text', true, ' Anna ', { value: 'Anna' }],
    ['text', true, '  ', { fault: 'required' }],
    ['text', true, undefined, { fault: 'required' }],
    ['text', false, '', {}],
    ['number', true, 'x'.repeat(2001), { fault: 'length' }],
    ['number', true, '12', { value: '12' }],
    ['number', true, '12,5', { value: '12.5' }],
    ['number', true, '-3.25', { value: '-3.25' }],
    ['number', true, '1e9', { fault: 'number' }],
    ['number', true, 'twelve', { fault: 'number' }],
    ['number', true, '1,500', { value: '1500' }],
    ['number', true, '1.500', { readings: ['1.500', '1500'] }],
    ['currency', true, '49.90', { value: '49.90' }],
    ['currency', true, '1,500', { value: '1500' }],
    ['date', true, '2026-11-20', { value: '2026-11-20' }],
    ['date', true, '2026-02-30', { fault: 'date' }],
    ['date', true, '24/12/2026', { value: '2026-12-24' }],
    ['date', true, '24 Dec 2026', { value: '2026-12-24' }],
    ['date', true, 'soon', { fault: 'date' }],
    ['boolean', true, 'true', { value: 'true' }],
    ['boolean', true, undefined, { value: 'false' }],
    ['boolean', false, undefined, {}],
    ['boolean', false, 'false', { value: 'false' }],
    ['boolean', true, 'perhaps', { fault: 'boolean' }],
    ['choice', true, 'monthly', { value: 'monthly' }],
    ['hologram', true, 'anything', { value: 'anything' }],
  ];
  const text = { name: 'blank', type: 'text', required: true };
  it('takes as many characters of a text as it says, or eighty', () => {
    for (const [blank, most] of [
      [text, 80],
      [{ ...text, type: 'hologram' }, 80],
      [{ ...text, maxLength: 3 }, 3],
      [{ ...text, maxLength: 1500 }, 1500],
    ] as const) {
      const longest = 'x'.repeat(most);
      assert.deepEqual(checkVariable(blank, longest, ...writing), { value: longest });
      assert.deepEqual(checkVariable(blank, `${longest}x`, ...writing), { fault: 'length' });
    }
  });

  for (const typed of hostileWords)
    it(`takes no address or phone number, unless it has a pattern of its own: “${typed}”`, () => {
      for (const type of ['text', 'choice', 'hologram'])
        assert.deepEqual(checkVariable({ ...text, type }, typed, ...writing), { fault: 'contacts' });
      assert.deepEqual(checkVariable({ ...text, pattern: '.*' }, typed, ...writing), { value: typed.trim() });
    });

  for (const typed of harmlessWords)
    it(`takes other words: “${typed}”`, () => assert.deepEqual(checkVariable(text, typed, ...writing), { value: typed }));

  it('accepts only the values of a choice, however they are written', () => {
    const plan = { name: 'plan', type: 'choice', required: true, choices: ['Fibre 100', 'Fibre 500'] };
    assert.deepEqual(checkVariable(plan, ' fibre 500', ...writing), { value: 'Fibre 500' });
    assert.deepEqual(checkVariable(plan, 'Fibre 900', ...writing), { fault: 'choice' });
    assert.deepEqual(checkVariable({ ...plan, required: false }, '', ...writing), {});
  });

  for (const [type, required, value, expected] of table) {
    const shown = value === undefined ? 'nothing' : `“${value.slice(0, 20)}”`;
    it(`of type ${type}${required ? '' : ' (optional)'} filled with ${shown} gives ${JSON.stringify(expected).slice(0, 40)}`, () => {
      assert.deepEqual(checkVariable({ name: 'blank', type, required }, value, ...writing), expected);
    });
  }
});

describe('filling in a document by typing', () => {
  const variables = [
    { name: 'holder', type: 'text', required: true },
    { name: 'limit', type: 'number', required: true },
    { name: 'first_day', type: 'date', required: false },
  ];
  const open = async (locale: string, blanks: object[] = variables) => {
    const chat = startConversation();
    chat.locale = locale;
    chat.found = { ...found, documents: [{ id: found.documents[0]?.id ?? '', title: 'Mandate', variables: blanks }] };
    await chat.say('document-signature', '+12025550102');
    return chat;
  };
  const filled = (chat: ConversationUnderTest) => (chat.sent[0]?.request as { variables?: object } | undefined)?.variables;

  it('says what is asked for, with an example, and sends the value in plain form', async () => {
    const chat = await open('en-US');
    assert.match(
      chat.said.at(-1)?.text,
      /– Limit \(a number, for example 12\)\n– First day \(optional; a date, for example Dec 24, 2026\)/,
    );
    assert.match(await chat.say('Mei Tanaka'), /Next: Limit \(a number, for example 12\)/);
    assert.match(await chat.say('a lot'), /Limit: Please enter a number, for example 12\./);
    assert.match(await chat.say('1,500'), /Next: First day \(optional; a date, for example Dec 24, 2026\)/);
    assert.match(await chat.say('soon'), /First day: Please enter a date, for example Dec 24, 2026\./);
    assert.match(await chat.say('12/24/2026'), /Limit: 1500[\s\S]*First day: Dec 24, 2026/);
    await chat.say('send');
    assert.deepEqual(filled(chat), { holder: 'Mei Tanaka', limit: '1500', first_day: '2026-12-24' });
  });

  it('calls a blank by its label and holds an amount to its currency', async () => {
    const limit = { name: 'lim', label: 'Monthly limit', type: 'currency', currency: 'USD', required: true };
    const chat = await open('en-US', [limit]);
    assert.match(chat.said.at(-1)?.text, /– Monthly limit \(an amount, for example \$50\.00\)/);
    for (const wrong of ['-5', '49.999', '€50', 'much'])
      assert.match(await chat.say(wrong), /Monthly limit: Please enter an amount, for example \$50\.00/);
    assert.match(await chat.say('$1,500.5'), /Monthly limit: \$1,500\.50/);
    await chat.say('send');
    assert.deepEqual(filled(chat), { lim: '1500.5' });
  });

  for (const [locale, said] of [
    ['en-US', 'Please leave out web addresses, e-mail addresses and phone numbers.'],
    ['de-DE', 'Bitte lassen Sie Internetadressen, E-Mail-Adressen und Telefonnummern weg.'],
    ['es-ES', 'No incluya direcciones web, correos electrónicos ni números de teléfono.'],
    ['fr-FR', 'Merci de ne pas y mettre d’adresse web, d’adresse e-mail ni de numéro de téléphone.'],
    ['ar-EG', 'يُرجى عدم ذكر عناوين مواقع أو عناوين بريد إلكتروني أو أرقام هواتف.'],
    ['ja-JP', 'ウェブサイトのアドレス、メールアドレス、電話番号は書かないでください。'],
  ] as const)
    it(`says which blank takes no addresses, and sends nothing (${locale})`, async () => {
      const chat = startConversation();
      chat.locale = locale;
      chat.found = { ...found, documents: [{ id: found.documents[0]?.id ?? '', title: 'Mandate', variables: variables as never }] };
      await chat.say('document-signature', '+12025550102');
      for (const typed of ['URGENT, open https://evil.example/login now', 'evil . example']) {
        const shown = await chat.say(typed);
        assert.ok(shown.includes(`Holder: ${said}`), shown);
      }
      assert.match(await chat.say('Mei Tanaka'), /Limit/);
      assert.deepEqual(chat.sent, []);
    });

  it('keeps what was typed when it is tried again', async () => {
    const chat = await open('es', variables);
    await chat.say('Mei Tanaka', '1,500', '1,5');
    assert.match(await chat.say('24/12/2026'), /Limit: 1,5/);
    chat.starts = { state: 'refused', refusal: 'rejected' };
    await chat.say('enviar');
    chat.starts = {};
    await chat.press('Intentarlo de nuevo');
    const shown = await chat.say('Mandate');
    assert.match(shown, /– Holder: Mei Tanaka\n– Limit [^\n]*: 1,5\n– First day [^\n]*: (?:Dec 24, 2026|24 dic 2026)/);
    await chat.say('continuar', 'enviar');
    assert.deepEqual((chat.sent[1]?.request as { variables?: object } | undefined)?.variables, {
      holder: 'Mei Tanaka',
      limit: '1.5',
      first_day: '2026-12-24',
    });
  });

  it('leaves out values that the service fills in, and asks for those it requires', async () => {
    const prefilled = { name: 'owner', type: 'text', required: false, prefill: 'customer.name' };
    const chat = await open('en-US', [prefilled, variables[0] as object]);
    assert.match(chat.said.at(-1)?.text, /\n– Holder\n/);
    assert.doesNotMatch(chat.said.at(-1)?.text, /Owner/);
    assert.doesNotMatch(await chat.say('Mei Tanaka'), /Owner/);
    await chat.say('send');
    assert.deepEqual(filled(chat), { holder: 'Mei Tanaka' });
    assert.match((await open('en-US', [prefilled])).said.at(-1)?.text, /Sign this document on your phone/);
    assert.match((await open('en-US', [{ ...prefilled, required: true }])).said.at(-1)?.text, /– Owner/);
  });

  describe('that the service has refused', () => {
    const refusedFor = async (...refusedFields: string[]) => {
      const chat = await open('en-US');
      await chat.say('Mei Tanaka', '1,500', '12/24/2026');
      chat.starts = { state: 'refused', refusal: 'rejected', refusedFields };
      let shown = await chat.say('send');
      chat.starts = {};
      // What nobody filled in here cannot be put right on the card.
      if (/could not be sent/.test(shown)) shown = await chat.press('Try again');
      return { chat, shown };
    };
    const again = (chat: ConversationUnderTest) => (chat.sent[1]?.request as { variables?: object } | undefined)?.variables;

    it('shows which value it was, beside what was typed, and takes another in its place', async () => {
      const { chat, shown } = await refusedFor('variables.limit');
      assert.match(
        shown,
        /– Holder: Mei Tanaka\n– Limit: The service did not accept this\. [^\n]*\n– First day [^\n]*: (?:Dec 24, 2026|24 dic 2026)/,
      );
      const inputs = JSON.stringify(chat.said.at(-1)?.attachments);
      for (const value of ['Mei Tanaka', '1500', '2026-12-24']) assert.ok(inputs.includes(`"value":"${value}"`), value);
      const entered = { 'variable:holder': 'Mei Tanaka', 'variable:limit': '900', 'variable:first_day': '2026-12-24' };
      assert.match(await chat.press('Continue', entered), /Limit: 900/);
      await chat.say('send');
      assert.deepEqual(again(chat), { holder: 'Mei Tanaka', limit: '900', first_day: '2026-12-24' });
    });

    it('asks a customer who types for that value only', async () => {
      const { chat } = await refusedFor('variables.limit');
      assert.match(
        await chat.say('900'),
        /Sign this document on your phone[\s\S]*Holder: Mei Tanaka[\s\S]*Limit: 900[\s\S]*First day: Dec 24, 2026/,
      );
      await chat.say('send');
      assert.deepEqual(again(chat), { holder: 'Mei Tanaka', limit: '900', first_day: '2026-12-24' });
    });

    it('asks for several one after the other', async () => {
      const { chat, shown } = await refusedFor('variables.first_day', 'variables.holder');
      assert.equal(shown.match(/did not accept this/g)?.length, 2);
      assert.match(await chat.say('Mei T.'), /“Holder”\. Next: First day/);
      await chat.say('2 Jan 2027', 'send');
      assert.deepEqual(again(chat), { holder: 'Mei T.', limit: '1500', first_day: '2027-01-02' });
    });

    it('reads the new value afresh, not as the refused one', async () => {
      const chat = await open('en-US', variables.slice(0, 2));
      await chat.say('Mei Tanaka', '1.500', '1500');
      chat.starts = { state: 'refused', refusal: 'rejected', refusedFields: ['variables.limit'] };
      await chat.say('send');
      chat.starts = {};
      assert.match(await chat.say('1.500'), /can be read in two ways/);
    });

    for (const path of ['variables.elsewhere', 'documentId', 'limit', ''])
      it(`asks for the document again where the service names “${path}”, which nobody filled in here`, async () => {
        const { shown } = await refusedFor(path);
        assert.match(shown, /Which document would you like to sign\?/);
        assert.doesNotMatch(shown, /not accept/);
      });
  });

  for (const [locale, typed, question, picked, value] of [
    ['en-US', '1.500', /“1\.500” for “Limit” can be read in two ways\.[\s\S]*1\. 1\.5\n2\. 1500/, '1500', '1500'],
    ['en-US', '1.500', /two ways/, '1.5', '1.500'],
    ['es', '1,500', /«1,500» en «Limit» se puede leer de dos maneras\.[\s\S]*1\. 1,5\n2\. 1500/, '1500', '1500'],
    ['es', '1,500', /dos maneras/, '1,5', '1.500'],
  ] as const) {
    it(`asks which is meant by “${typed}” in ${locale}, and takes ${picked}`, async () => {
      const chat = await open(locale, variables.slice(0, 2));
      await chat.say('Mei Tanaka');
      assert.match(await chat.say(typed), question);
      assert.match(await chat.press(picked), new RegExp(`Limit: ${picked.replace('.', '\\.')}`));
      await chat.say(locale === 'es' ? 'enviar' : 'send');
      assert.deepEqual(filled(chat), { holder: 'Mei Tanaka', limit: value });
    });
  }

  for (const [locale, typed, answers] of [
    ['en-US', '1.500', { 1: '1.5', '2': '1500', 'the second one': '1500', first: '1.5', 'option two': '1500', '1500': '1500' }],
    ['es', '1,500', { 1: '1.5', '2': '1500', 'la segunda': '1500', 'el primero, por favor': '1.5', 'la opción 2': '1500' }],
  ] as const)
    for (const [answer, value] of Object.entries(answers))
      it(`numbers the readings of “${typed}” in ${locale}, and takes “${answer}” for ${value}`, async () => {
        const chat = await open(locale, [{ name: 'limit', type: 'currency', currency: 'USD', required: true }]);
        assert.match(await chat.say(typed), /\n1\. [^\n]*1[.,]50[^\n]*\n2\. [^\n]*1[.,]?500/);
        await chat.say(answer, locale === 'es' ? 'enviar' : 'send');
        assert.equal(Number((filled(chat) as { limit?: string })?.limit), Number(value));
      });

  it('prefers a reading’s text to its number', async () => {
    const chat = await open('es', [{ name: 'limit', type: 'number', required: true }]);
    await chat.say('2,000', '2', 'enviar');
    assert.equal(Number((filled(chat) as { limit?: string })?.limit), 2);
  });

  it('asks about a date that can be meant in two ways, and goes on from there', async () => {
    const chat = await open('en', [...variables.slice(2), variables[0] as object]);
    assert.match(await chat.say('03/04/2026'), /two ways[\s\S]*1\. Apr 3, 2026\n2\. Mar 4, 2026/);
    assert.match(await chat.say('Mar 4, 2026'), /Next: Holder/);
    await chat.say('Mei Tanaka', 'send');
    assert.deepEqual(filled(chat), { first_day: '2026-03-04', holder: 'Mei Tanaka' });
  });

  it('accepts another value instead of the ambiguous one', async () => {
    const chat = await open('en-US', variables.slice(0, 2));
    await chat.say('Mei Tanaka', '1.500');
    await chat.say('250', 'send');
    assert.deepEqual(filled(chat), { holder: 'Mei Tanaka', limit: '250' });
  });

  it('asks about an ambiguous value on the card once the rest is valid', async () => {
    const chat = await open('es', variables.slice(0, 2));
    const entered = (holder: string) => ({ 'variable:holder': holder, 'variable:limit': '1,500' });
    assert.match(await chat.press('Continuar', entered(' ')), /Holder: /);
    assert.match(await chat.press('Continuar', entered('Mei Tanaka')), /dos maneras/);
    await chat.press('1500');
    await chat.say('enviar');
    assert.deepEqual(filled(chat), { holder: 'Mei Tanaka', limit: '1500' });
  });

  describe('that is reviewed', () => {
    const blanks = [...variables, { name: 'paperless', type: 'boolean', required: true }];
    const changing = async (locale = 'en-US', channelId = 'directline') => {
      const chat = await open(locale, blanks);
      chat.channelId = channelId;
      await chat.say('Mei Tanaka', '1,5', '24 Dec 2026', locale === 'es' ? 'sí' : 'yes');
      return { chat, shown: await chat.say(locale === 'es' ? 'cambiar' : 'change') };
    };

    for (const words of ['send it', 'send', 'ok', 'continue please', 'looks good'])
      it(`goes on when that is all there is to say: “${words}”`, async () => {
        const { chat } = await changing();
        assert.match(await chat.say(words), /Sign this document on your phone[\s\S]*Holder: Mei Tanaka/);
      });

    it('shows the form at once, from which another document can be chosen', async () => {
      const chat = await open('en-US', blanks);
      chat.found = { ...chat.found, documents: [...chat.found.documents, ...found.documents.slice(1)] };
      await chat.say('Mei Tanaka', '1,5', '24 Dec 2026', 'yes');
      const shown = await chat.say('change');
      assert.match(shown, /Fill in the document[\s\S]*Continue · Another document/);
      assert.doesNotMatch(shown, /Which document/);
      assert.match(await chat.say('another document'), /Which document would you like to sign\?/);
      assert.match(await chat.say('Contract'), /Sign this document on your phone[\s\S]*Document: Contract/);
    });

    it('takes “send it” for a value while a blank is open', async () => {
      const chat = await open('en-US', blanks);
      assert.match(await chat.say('send it'), /noted that for “Holder”/);
    });

    it('shows every value as people read it', async () => {
      assert.match(
        (await changing()).shown,
        /– Holder: Mei Tanaka\n– Limit [^\n]*: 1\.5\n– First day [^\n]*: Dec 24, 2026\n– Paperless [^\n]*: Yes/,
      );
      assert.match((await changing('es')).shown, /: 1,5\n[^\n]*: 24 dic 2026\n[^\n]*: Sí/);
    });

    for (const channelId of ['directline', 'sms'])
      it(`takes a value by its label, and keeps all others (${channelId})`, async () => {
        const { chat } = await changing('en-US', channelId);
        assert.match(await chat.say('limit: 900'), /Sign this document on your phone[\s\S]*Holder: Mei Tanaka[\s\S]*Limit: 900/);
        await chat.say('send');
        assert.deepEqual(filled(chat), { holder: 'Mei Tanaka', limit: '900', first_day: '2026-12-24', paperless: 'true' });
      });

    it('asks which is meant if no label was given, and uses the next words as its value', async () => {
      const { chat } = await changing();
      assert.match(await chat.say('Avery Collins'), /Which [^?]*: Holder, Limit, First day,? or Paperless\?/);
      assert.match(await chat.say('Holder'), /new value[^\n]*“Holder”/);
      await chat.say('Avery Collins', 'send');
      assert.deepEqual(filled(chat), { holder: 'Avery Collins', limit: '1.5', first_day: '2026-12-24', paperless: 'true' });
    });

    it('asks in Spanish too', async () => {
      const { chat } = await changing('es');
      assert.match(await chat.say('Avery Collins'), /Holder, Limit, First day o Paperless/);
      assert.match(await chat.say('first day: 2 de enero de 2027'), /2 ene 2027/);
    });
  });

  it('keeps a typed date and choice so that the card can show them', async () => {
    const chat = await open('en-US', [
      variables[2] as object,
      { name: 'plan', type: 'choice', required: true, choices: ['Fibre 100', 'Fibre 500'] },
      variables[0] as object,
    ]);
    await chat.say('24 Dec 2026', 'fibre 500');
    const inputs = JSON.stringify(chat.said.at(-1)?.attachments);
    for (const value of ['2026-12-24', 'Fibre 500']) assert.ok(inputs.includes(`"value":"${value}"`), value);
    const doubted = await open('en', [...variables.slice(2), variables[0] as object]);
    await doubted.say('03/04/2026', '2');
    assert.ok(JSON.stringify(doubted.said.at(-1)?.attachments).includes('"value":"2026-03-04"'));
  });

  it('says at its field what is wrong with a typed value, not above the card', async () => {
    const chat = await open('en-US');
    await chat.say('Mei Tanaka');
    const before = chat.said.length;
    await chat.say('a lot');
    assert.equal(chat.said.length, before + 1);
    const card = JSON.stringify(chat.said.at(-1)?.attachments);
    assert.match(card, /"value":"a lot"[\s\S]*Please enter a number, for example 12/);
    assert.match(await chat.say('900'), /Next: First day/);
  });

  it('answers no to an optional question only if the customer did', async () => {
    const optional = { name: 'with_roof', type: 'boolean', required: false };
    for (const [answer, value] of [
      ['', undefined],
      ['true', 'true'],
      ['false', 'false'],
    ] as const) {
      const chat = await open('en-US', [variables[0] as object, optional]);
      assert.ok(!JSON.stringify(chat.said.at(-1)?.attachments).includes('Input.Toggle'));
      await chat.press('Continue', { 'variable:holder': 'Mei', 'variable:with_roof': answer });
      await chat.say('send');
      assert.deepEqual(filled(chat), { holder: 'Mei', ...(value && { with_roof: value }) });
    }
    const must = await open('en-US', [{ ...optional, required: true }]);
    assert.ok(JSON.stringify(must.said.at(-1)?.attachments).includes('Input.Toggle'));
  });

  it('says that the year is missing from a date', async () => {
    assert.match(
      await (await open('en-US', [variables[2] as object])).say('24 December'),
      /First day: The year is missing[^\n]*Dec 24, 2026/,
    );
    assert.match(await (await open('es', [variables[2] as object])).say('24 de diciembre'), /First day: Falta el año[^\n]*24 dic 2026/);
    assert.match(await (await open('es', [variables[2] as object])).say('24/12'), /Falta el año/);
  });

  it('skips only what need not be filled in', async () => {
    const chat = await open('en-US', [variables[0] as object, variables[2] as object]);
    // "None" may be somebody's name; it is no way around a blank that must be filled.
    assert.match(await chat.say('none'), /I noted that for “Holder”/);
    await chat.say('skip', 'send');
    assert.deepEqual(filled(chat), { holder: 'none' });
  });
});
