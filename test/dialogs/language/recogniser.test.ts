import assert from 'node:assert/strict';
import {
  appIn,
  bareCommandIn,
  type ChatCommand,
  commandIn,
  type Remark,
  remarkIn,
  wishesIn,
} from '../../../dialogs/language/recogniser.ts';
import { makeTexts } from '../../../dialogs/language/texts.ts';
import type { AppId } from '../../../src/contract/index.ts';

describe('the recogniser', () => {
  const wishes: Record<'en' | 'es', [string, AppId | undefined][]> = {
    en: [
      ['I want to pay my bill', 'payments'],
      ['payments', 'payments'],
      ['E-form', 'e-form'],
      ['sign', 'document-signature'],
      ['I need to sign a document please', 'document-signature'],
      ['log in with passkey', 'passkeys'],
      ['Confirm now', 'passkeys'],
      ['Could you text me a code?', 'one-time-passcode'],
      ['one-time passcode', 'one-time-passcode'],
      ["I've got a new address", 'e-form'],
      ['sign in with a passkey', 'passkeys'],
      ['my agent told me to pay', 'payments'],
      ['Paymnets', 'payments'],
      ['one-time pascode', 'one-time-passcode'],
      ['I want to make a paymant', 'payments'],
      ['documment signature', 'document-signature'],
      ['sing', 'document-signature'],
      ['I want to sgin something', 'document-signature'],
      ['payy', 'payments'],
      ['fomr', 'e-form'],
      ['I am from Spain', undefined],
      ['come and play', undefined],
      ['what for', undefined],
      ["I'm moving house", 'e-form'],
      ['we have moved', 'e-form'],
      ['please change my address', 'e-form'],
      ['I am loving it', undefined],
      ["I don't want to pay", undefined],
      ["I don't want to pay, I want to sign", 'document-signature'],
      ['what a lovely day', undefined],
      ['unsigned', undefined],
    ],
    es: [
      ['Quiero pagar mi factura', 'payments'],
      ['firmar', 'document-signature'],
      ['iniciar sesión con clave de acceso', 'passkeys'],
      ['confirmar ahora', 'passkeys'],
      ['mándeme un CODIGO de verificación', 'one-time-passcode'],
      ['necesito un formulario', 'e-form'],
      ['contador', undefined],
      ['mi paog', 'payments'],
      ['de qué forma', undefined],
      ['quiero cambiar mi dirección', 'e-form'],
      ['contrtao', 'document-signature'],
      ['mi facutra', 'payments'],
      ['no quiero pagar', undefined],
      ['mi agente me dijo que tengo que pagar', 'payments'],
      ['hace buen día', undefined],
    ],
  };
  for (const [language, table] of Object.entries(wishes)) {
    const t = makeTexts(language);
    for (const [typed, app] of table) {
      it(`takes “${typed}” (${language}) for ${app ?? 'no app'}`, () => assert.equal(appIn(typed, t), app));
    }
  }

  const orders: Record<'en' | 'es', [string, ChatCommand | undefined][]> = {
    en: [
      ['status', 'status'],
      ['Any news?', 'status'],
      ['did it go thru', 'status'],
      ['how long should I wait?', 'status'],
      ['cancle', 'cancel'],
      ['satus please', 'status'],
      ['rsend', 'resend'],
      ['dance', undefined],
      ['Could you call me on the telephone?', 'agent'],
      ['Nothing arrived!', 'resend'],
      ['send it again', 'resend'],
      ['please cancel', 'cancel'],
      ['help', 'help'],
      ['Start over', 'restart'],
      ['I want to talk to someone', 'agent'],
      ['agent', 'agent'],
      ['please cancel it', 'cancel'],
      ['can you cancel the payment', 'cancel'],
      ['I want to stop now', 'cancel'],
      ['cancel', 'cancel'],
      ['menu please', 'restart'],
      ["please don't cancel it", undefined],
      ['do not cancel', undefined],
      ['how can I cancel?', undefined],
      ['what is the menu?', undefined],
      ['it did not stop raining', undefined],
      ["don't send it again", undefined],
      ['I did not get it', 'resend'],
      ['not a human please', undefined],
      ['I want to talk to a person', 'agent'],
      ['Could I please speak with someone about the bill that came last week?', 'agent'],
      ['It does not work, I want to talk to a person', 'agent'],
      ['please give me an agent', 'agent'],
      ["I don't want to talk to a person", undefined],
      ['my agent told me to pay', undefined],
      ['I want to talk to my husband first', undefined],
      ['Travel agent', undefined],
      ['5 Progress Street', undefined],
      ['What is the status of my payment?', 'status'],
      ['I pressed the link twice and then nothing arrived on my phone', 'resend'],
      ['i didnt get it', 'resend'],
      ['I didn’t get it', 'resend'],
      ["didn't get the message", 'resend'],
      ['it never came', 'resend'],
      ['the code never arrived', 'resend'],
      ['send me another one', 'resend'],
      ['I havent received anything', 'resend'],
      ['I need help', 'help'],
      ['I cancelled my subscription last week and then moved house', undefined],
      ['hello', undefined],
    ],
    es: [
      ['¿Alguna novedad?', 'status'],
      ['no me ha llegado', 'resend'],
      ['no me llega el código', 'resend'],
      ['no me llega', 'resend'],
      ['mándeme otro', 'resend'],
      ['envíeme otro, por favor', 'resend'],
      ['cancelar', 'cancel'],
      ['canselar', 'cancel'],
      ['¿cuánto tengo que esperar?', 'status'],
      ['quiero cancelar el pago', 'cancel'],
      ['no quiero cancelar', undefined],
      ['¿cómo puedo cancelar?', undefined],
      ['no lo envíe otra vez', undefined],
      ['al menú por favor', 'restart'],
      ['ayuda', 'help'],
      ['empezar de nuevo', 'restart'],
      ['quiero hablar con alguien', 'agent'],
      ['Esto no funciona, me gustaría hablar con una persona de su equipo', 'agent'],
      ['no quiero hablar con una persona', undefined],
      ['mi agente me dijo que tengo que pagar', undefined],
      ['agente de viajes', undefined],
    ],
  };
  for (const [language, table] of Object.entries(orders)) {
    const t = makeTexts(language);
    for (const [typed, command] of table) {
      it(`takes “${typed}” (${language}) for ${command ?? 'no command'}`, () => assert.equal(commandIn(typed, t), command));
    }
  }

  const bare: [string, string, ChatCommand | undefined][] = [
    ['en', 'agent', 'agent'],
    ['en', 'Cancel, please.', 'cancel'],
    ['en', 'I want to talk to a person', 'agent'],
    ['en', 'A real person of 40 years', undefined],
    ['en', "I don't want to talk to a person", undefined],
    ['en', 'Travel agent', undefined],
    ['en', 'the menu', undefined],
    ['en', 'Cance', undefined],
    ['en', 'cancel it please', 'cancel'],
    ['en', 'please just cancel this', 'cancel'],
    ['en', "don't cancel it", undefined],
    ['es', 'cancélelo, por favor', 'cancel'],
    ['es', 'cancelar, por favor', 'cancel'],
    ['es', 'Agente de viajes', undefined],
  ];
  for (const [language, typed, command] of bare)
    it(`takes “${typed}” (${language}) for ${command ?? 'no command'} where free words are asked for`, () =>
      assert.equal(bareCommandIn(typed, makeTexts(language)), command));

  const remarks: Record<'en' | 'es', [string, Remark | undefined][]> = {
    en: [
      ['Hello!', 'greeting'],
      ['good morning', 'greeting'],
      ['Thanks a lot!', 'thanks'],
      ['thank you', 'thanks'],
      ["that's all, thanks", 'goodbye'],
      ['thats all', 'goodbye'],
      ['that’s it', 'goodbye'],
      ['log out', 'goodbye'],
      ['No', 'no'],
      ['no, thank you', 'no'],
      ['Is this a scam?', 'scam'],
      ['how do I know that this payment is not a fraud', 'scam'],
      ['Am I verified?', 'verified'],
      ['am I verified for this payment now?', 'verified'],
      ['verify me', undefined],
      ['I want to prove who I am', 'identity'],
      ['please verify my identity', 'identity'],
      ['how can I identify myself?', 'identity'],
      ['log me in', 'account'],
      ['I forgot my password', 'account'],
      ['can you reset my password', 'account'],
      ['sign in with a passkey', undefined],
      ['hello world, what a day', undefined],
      ['no idea', undefined],
    ],
    es: [
      ['¡Buenos días!', 'greeting'],
      ['muchas gracias', 'thanks'],
      ['adiós', 'goodbye'],
      ['no, gracias', 'no'],
      ['¿Esto es una estafa?', 'scam'],
      ['¿Estoy verificada?', 'verified'],
      ['verificarme', undefined],
      ['quiero demostrar quién soy', 'identity'],
      ['he olvidado mi contraseña', 'account'],
    ],
  };
  for (const [language, table] of Object.entries(remarks)) {
    const t = makeTexts(language);
    for (const [typed, remark] of table)
      it(`takes “${typed}” (${language}) for ${remark ?? 'no remark'}`, () => assert.equal(remarkIn(typed, t), remark));
  }

  const several: [string, string, [AppId, string][]][] = [
    [
      'en',
      'pay my bill and then sign the contract',
      [
        ['payments', 'pay my bill'],
        ['document-signature', 'sign the contract'],
      ],
    ],
    [
      'en',
      'Sign the contract. Pay invoice 4711.',
      [
        ['document-signature', 'Sign the contract'],
        ['payments', 'Pay invoice 4711'],
      ],
    ],
    ['en', 'pay my bill, number 4711', [['payments', 'pay my bill, number 4711']]],
    ['en', 'pay my bill and the invoice for gas', [['payments', 'pay my bill, the invoice for gas']]],
    ['en', 'send a code to +1 202 555 0110', [['one-time-passcode', 'send a code to +1 202 555 0110']]],
    ['en', 'pay 1,500.50 now', [['payments', 'pay 1,500.50 now']]],
    [
      'es',
      'pagar la factura y después firmar el contrato',
      [
        ['payments', 'pagar la factura'],
        ['document-signature', 'firmar el contrato'],
      ],
    ],
    ['es', 'buenos días', []],
  ];
  for (const [language, typed, wishes] of several)
    it(`hears ${wishes.length} in “${typed}” (${language})`, () =>
      assert.deepEqual(
        wishesIn(typed, makeTexts(language)).map(({ app, words }) => [app, words]),
        wishes,
      ));
});
