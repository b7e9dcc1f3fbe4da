// The chats of a release's folder: where each stands when the program is stopped, and how it gets there.

/** What a customer does: types, or presses the newest button whose title matches, with these values in the card's inputs. */
export type Act = string | { readonly press: RegExp; readonly fill?: readonly string[] } | { readonly event: object };

export interface RecordedChat {
  readonly acts: readonly Act[];
  /** Words of an answer, by which the recording knows that the chat has arrived. */
  readonly arrives: RegExp;
  /** The app whose request waits. */
  readonly waits?: 'document-signature' | 'e-form' | 'one-time-passcode' | 'passkeys' | 'payments';
  /** Its request is too old, and nobody knows how it ended. */
  readonly late?: true;
  /** A file of the program's first version that can do this. */
  readonly since?: string;
}

const mei = '+1 202 555 0102';
const mandate = ['Avery Collins', '1234', '200'];
/** A flow of the operator's own. */
export const asks = `flow: asks
title: Ask
says: { en: [ask me something] }
do:
  - { ask: text, as: colour, text: Which colour? }
  - say: Thank you.
`;
const flows = 'dialogs/flows/open-account.yaml';
const agents = 'src/handoff/agent-act.ts';

/** By their conversations' ids. */
export const chats: Readonly<Record<string, RecordedChat>> = {
  menu: { acts: ['hello'], arrives: /Talk to a person/ },
  number: { acts: ['payments'], arrives: /number/ },
  customers: { acts: ['payments', '+1 202 555 0101'], arrives: /Jor|J•|Avery|A•/ },
  customer: { acts: ['payments', mei], arrives: /M/ },
  products: { acts: ['payments', mei, 'yes'], arrives: /router/i },
  documents: { acts: ['sign a document', mei, 'yes'], arrives: /mandate/i },
  blanks: { acts: ['sign a document', mei, 'yes', '1'], arrives: /Account holder/i },
  forms: { acts: ['fill in a form', mei, 'yes'], arrives: /address/i },
  'confirm-payment': { acts: ['payments', mei, 'yes', '1'], arrives: /Send/ },
  'confirm-form': { acts: ['fill in a form', mei, 'yes', '1'], arrives: /Send/ },
  'confirm-passcode': { acts: ['one-time passcode', mei, 'yes'], arrives: /Send|send/ },
  'confirm-passkey': { acts: ['passkeys', mei, 'yes'], arrives: /Send|send/ },
  'confirm-document': {
    acts: ['sign a document', mei, 'yes', '1', { press: /Continue/, fill: mandate }],
    arrives: /Send/,
  },
  'wait-payment': { acts: ['payments', mei, 'yes', '1', 'send'], arrives: /Waiting|way|phone/, waits: 'payments' },
  'wait-form': { acts: ['fill in a form', mei, 'yes', '1', 'send'], arrives: /Waiting|way|phone/, waits: 'e-form' },
  'wait-passkey': { acts: ['passkeys', mei, 'yes', 'send'], arrives: /Waiting|way|phone/, waits: 'passkeys' },
  'wait-passcode': { acts: ['one-time passcode', mei, 'yes', 'send'], arrives: /code/i, waits: 'one-time-passcode' },
  'wait-document': {
    acts: ['sign a document', mei, 'yes', '1', { press: /Continue/, fill: mandate }, 'send'],
    arrives: /Waiting|way|phone/,
    waits: 'document-signature',
  },
  'what-now': { acts: ['payments', '+1 202 555 0111', 'yes', '1', 'send'], arrives: /Try again/ },
  'flow-app': { acts: ['open an account'], arrives: /number/, since: flows },
  'flow-wait': { acts: ['open an account', '+1 202 555 0101', '1', 'send'], arrives: /Waiting|way|phone/, waits: 'passkeys', since: flows },
  'flow-question': { acts: ['ask me something'], arrives: /Which colour/, since: flows },
  'late-payment': { acts: ['payments', mei, 'yes', '2', 'send'], arrives: /Waiting/, waits: 'payments', late: true, since: agents },
  'late-passcode': {
    acts: ['one-time passcode', mei, 'yes', 'send'],
    arrives: /code/,
    waits: 'one-time-passcode',
    late: true,
    since: agents,
  },
  'agent-waits': { acts: ['talk to a person'], arrives: /person|somebody|colleague|agent/i },
  'agent-joined': {
    acts: ['talk to a person', { event: { type: 'event', name: 'handoff.status', value: { state: 'accepted' } } }],
    arrives: /member of our team/,
    since: agents,
  },
};
