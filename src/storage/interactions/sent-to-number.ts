// What was sent to a phone number that anybody can type (docs/decisions/0169).
import type { Kysely } from 'kysely';
import type { InteractionStore } from '../../interactions/index.ts';
import type { Schema } from '../schema.ts';

export const makeSentToNumber = (db: Kysely<Schema>): Pick<InteractionStore, 'sentTo' | 'succeededFor'> => {
  const ofNumber = (phoneNumber: string, after: number) =>
    db.selectFrom('interaction').where('phone_number', '=', phoneNumber).where('alike', '=', 1).where('created_at', '>', after);

  return {
    sentTo: async (phoneNumber, after, limit) => {
      // `crowded`: as earlier versions recorded one whose number had had its messages.
      const sent = ofNumber(phoneNumber, after).where((eb) =>
        eb.or([eb('refusal', 'is', null), eb('refusal', 'not in', ['nobody', 'crowded'])]),
      );
      return (await sent.select('id').limit(limit).execute()).length;
    },

    succeededFor: async (phoneNumber, customerRef, conversation, after) => {
      const ended = ofNumber(phoneNumber, after).where('customer_ref', '=', customerRef).where('outcome', 'is not', null);
      const rows = await ended.select(['conversation', 'outcome']).execute();
      const won = rows.filter(({ outcome }) => JSON.parse(outcome as string).status === 'success');
      if (won.length === 0) return undefined;
      return won.some((row) => row.conversation === conversation) ? 'session' : 'customer';
    },
  };
};
