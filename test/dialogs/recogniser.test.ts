import assert from 'node:assert/strict';
import { appIn, type Command, commandIn } from '../../dialogs/recogniser.ts';
import { makeTexts } from '../../dialogs/texts.ts';
import type { AppId } from '../../src/contract/index.ts';

describe('the recogniser', () => {
  const wishes: Record<'en' | 'es', [string, AppId | undefined][]> = {
    en: [
      ['I want to pay my bill', 'payments'],
      ['payments', 'payments'],
      ['E-form', 'e-form'],
      ['sign', 'document-signature'],
      ['I need to sign a document please', 'document-signature'],
      ['log in with passkey', 'passkeys'],
      ['Could you text me a code?', 'one-time-passcode'],
      ['one-time passcode', 'one-time-passcode'],
      ["I've got a new address", 'e-form'],
      ['sign in with a passkey', 'passkeys'],
      ['what a lovely day', undefined],
      ['unsigned', undefined],
    ],
    es: [
      ['Quiero pagar mi factura', 'payments'],
      ['firmar', 'document-signature'],
      ['iniciar sesión con clave de acceso', 'passkeys'],
      ['mándeme un CODIGO de verificación', 'one-time-passcode'],
      ['necesito un formulario', 'e-form'],
      ['hace buen día', undefined],
    ],
  };
  for (const [language, table] of Object.entries(wishes)) {
    const t = makeTexts(language);
    for (const [typed, app] of table) {
      it(`takes “${typed}” (${language}) for ${app ?? 'no app'}`, () => assert.equal(appIn(typed, t), app));
    }
  }

  const orders: Record<'en' | 'es', [string, Command | undefined][]> = {
    en: [
      ['status', 'status'],
      ['Any news?', 'status'],
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
      ['I cancelled my subscription last week and then moved house', undefined],
      ['hello', undefined],
    ],
    es: [
      ['¿Alguna novedad?', 'status'],
      ['no me ha llegado', 'resend'],
      ['cancelar', 'cancel'],
      ['quiero cancelar el pago', 'cancel'],
      ['no quiero cancelar', undefined],
      ['¿cómo puedo cancelar?', undefined],
      ['no lo envíe otra vez', undefined],
      ['al menú por favor', 'restart'],
      ['ayuda', 'help'],
      ['empezar de nuevo', 'restart'],
      ['quiero hablar con alguien', 'agent'],
    ],
  };
  for (const [language, table] of Object.entries(orders)) {
    const t = makeTexts(language);
    for (const [typed, command] of table) {
      it(`takes “${typed}” (${language}) for ${command ?? 'no command'}`, () => assert.equal(commandIn(typed, t), command));
    }
  }
});
