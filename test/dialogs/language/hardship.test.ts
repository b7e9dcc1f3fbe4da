import assert from 'node:assert/strict';
import { appIn, commandIn } from '../../../dialogs/language/recogniser.ts';
import { type ChatLanguage, makeTexts } from '../../../dialogs/language/texts.ts';
import { found, startConversation } from '../../support/conversation-under-test.ts';

/** Sentences of customers who cannot pay, and of those who can. */
const tables: Record<ChatLanguage, { readonly cannot: readonly string[]; readonly can: readonly string[] }> = {
  en: {
    cannot: [
      'I lost my job and cannot pay',
      "I can't afford this bill",
      'I cant pay my bill this month',
      'Sorry, we are unable to pay the invoice right now.',
      'I will not be able to pay until Friday',
      'pay my bill? I have no money left',
      'I was laid off. What can I do about my bill?',
      'I am struggling to pay my bills',
      'Is there a payment plan?',
      'I am in financial difficulties',
      'I don’t have the money to pay my bill',
    ],
    can: [
      'I cannot find my bill, I want to pay',
      'I cannot find my bill and want to pay it',
      "I can't wait to pay my bill",
      'I could not pay yesterday, let me pay my bill now',
      'I lost my bill but I want to pay',
      'can I pay my bill?',
      'I cannot see my invoice, how do I pay?',
    ],
  },
  de: {
    cannot: [
      'Ich habe meinen Job verloren und kann nicht bezahlen',
      'Ich kann meine Rechnung diesen Monat nicht bezahlen',
      'Das kann ich mir nicht leisten',
      'Leider können wir die Rechnung nicht zahlen.',
      'Ich bin arbeitslos, was mache ich mit der Rechnung?',
      'Ich habe kein Geld für die Rechnung',
      'Ich weiß, dass ich die Rechnung nicht bezahlen kann',
      'Kann ich in Raten zahlen?',
      'Ich habe finanzielle Schwierigkeiten',
      'Koennen wir die Rechnung nicht mehr bezahlen, was dann?',
    ],
    can: [
      'Ich kann meine Rechnung nicht finden, ich möchte bezahlen',
      'Ich kann die Rechnung nicht öffnen und will sie bezahlen',
      'Kann ich die Rechnung hier bezahlen?',
      'Ich habe die Rechnung verloren, möchte aber bezahlen',
    ],
  },
  es: {
    cannot: [
      'He perdido mi trabajo y no puedo pagar',
      'No puedo pagar la factura este mes',
      'No me lo puedo permitir',
      'No tengo dinero para la factura',
      'Estoy en paro y tengo una factura',
      'Lo siento, no podemos pagar ahora.',
      'No me alcanza para la factura',
      'Tengo problemas económicos',
      '¿Puedo pagar a plazos?',
      'perdi mi empleo',
    ],
    can: [
      'No encuentro mi factura, quiero pagar',
      'No puedo encontrar mi factura para pagar',
      '¿Puedo pagar mi factura?',
      'He perdido la factura pero quiero pagarla, es un pago',
    ],
  },
  fr: {
    cannot: [
      'J’ai perdu mon emploi et je ne peux pas payer',
      'Je ne peux pas payer ma facture ce mois-ci',
      'je peux plus payer',
      'Je n’ai pas les moyens de payer',
      'Je suis au chômage, que faire de ma facture ?',
      'Je n’ai pas assez d’argent pour la facture',
      'Nous ne pouvons pas payer.',
      'J’ai du mal à payer mes factures',
      'J’ai des difficultés financières',
      'Puis-je payer en plusieurs fois ?',
    ],
    can: [
      'Je ne trouve pas ma facture, je veux payer',
      'Je ne peux pas trouver ma facture pour payer',
      'Est-ce que je peux payer ma facture ?',
      'J’ai perdu ma facture mais je veux payer',
    ],
  },
  ja: {
    cannot: [
      '仕事を失って払えません',
      '今月の請求書が払えないです',
      'お金がないので支払えません',
      '失業しました。請求書はどうすればいいですか',
      '支払いが難しいです',
      '収入が減って困っています',
      '生活が苦しくて払うのが厳しいです',
      '分割払いにできますか',
      '請求書を支払う余裕がありません',
    ],
    can: [
      '請求書が見つかりません。支払いたいです',
      '請求書が開けないのですが、支払いをしたいです',
      '支払いたいです',
      '請求書をなくしましたが、支払いたいです',
    ],
  },
  ar: {
    cannot: [
      'فقدت وظيفتي ولا أستطيع الدفع',
      'لا أستطيع دفع فاتورتي هذا الشهر',
      'لا يمكنني سداد الفاتورة',
      'أنا غير قادر على الدفع الآن',
      'ليس لدي مال للفاتورة',
      'أنا عاطل عن العمل',
      'أمر بضائقة مالية، ماذا أفعل بالفاتورة؟',
      'ما أقدر ادفع الفاتورة',
      'هل يمكن الدفع بالتقسيط؟',
      'لا استطيع ان ادفع',
    ],
    can: ['لا أجد فاتورتي، أريد أن أدفع الفاتورة', 'أريد دفع الفاتورة', 'هل أستطيع دفع الفاتورة؟', 'فقدت الفاتورة لكن أريد الدفع'],
  },
};

describe('a customer who cannot pay', () => {
  for (const [language, { cannot, can }] of Object.entries(tables)) {
    const t = makeTexts(language);
    for (const said of cannot) it(`needs a person (${language}): ${said}`, () => assert.equal(commandIn(said, t), 'agent'));
    for (const said of can)
      it(`is not who wants to pay (${language}): ${said}`, () => {
        assert.notEqual(commandIn(said, t), 'agent');
        assert.equal(appIn(said, t), 'payments');
      });

    it(`is offered what there is instead of a payment, wherever the chat is (${language})`, async () => {
      const sentence = cannot[0] as string;
      for (const before of [[], [t('cards.buttons.menu')], ['payments'], ['payments', '+12025550102']]) {
        const chat = startConversation();
        chat.locale = language;
        chat.found = { ...found, products: [...found.products, ...found.products.map((one) => ({ ...one, id: 'p-2', title: 'Another' }))] };
        if (before.length > 0) await chat.say(...before);
        const lookups = chat.lookups.length;
        const answer = await chat.say(sentence);
        assert.ok(answer.includes(t('agent.hardship')), answer);
        assert.ok(answer.includes(t('agent.unavailable')), answer);
        assert.deepEqual([chat.sent.length, chat.lookups.length], [0, lookups], before.join());
        // What it asked for a payment, it does not ask again.
        assert.match(
          chat.said.at(-1)?.text ?? '',
          new RegExp(`^${t('cards.menu.title').replace(/[?]/g, '[?]')}|^${t('conversation.welcome').slice(0, 5)}`),
        );
      }
    });
  }
});
