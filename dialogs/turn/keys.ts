// The keys of a telephone: reads what a customer presses, depending on the open dialog.
import { type AppId, apps, isAppId } from '../../src/contract/index.ts';
import type { DialogState } from '../sdk.ts';
import type { Input } from './activities.ts';
import type { CallMemory } from './memory.ts';
import { openIn } from './turn.ts';

/** The kind of entry expected: one of some choices, a code of six digits, or digits that end with `#`. */
type Entry = 'choice' | 'code' | 'figures';

/** The kind of entry that the open dialogs wait for. */
export const entryIn = (dialogs: DialogState | undefined): Entry => {
  const open = openIn(dialogs);
  const asked = open.at(-1);
  const app = open.map(({ id }) => id).find((id): id is AppId => isAppId(id));
  if (asked?.id === 'wait') return app && apps[app].answeredIn === 'chat' ? 'code' : 'choice';
  // A question without choices, or whose choices may be values, takes digits.
  const isChoice = !asked || asked.id === 'menu' || (Array.isArray(asked.state?.choices) && asked.state.choices.length > 0);
  return isChoice ? 'choice' : 'figures';
};

const codeLength = 6;
/** No question takes a longer number. */
const longest = 20;

/** The meaning of keys: words as if spoken, an agent, or a repetition; `none` while the entry is incomplete. */
type Pressed = Extract<Input, { kind: 'text' | 'repeat' | 'none' }> | { readonly kind: 'person' };

const said = (text: string): Pressed => ({ kind: 'text', text });

/**
 * Reads keys, one or several at a time. Among choices, 0 means an agent; 9 and `#` mean a repetition. In a row of
 * digits they are digits, unless one of them stands alone before its `#`. `*` starts the row again. The entry
 * so far is stored in the chat.
 */
export const pressed = (keys: string, memory: CallMemory, entry: Entry): Pressed => {
  if (entry === 'choice') {
    delete memory.keyed;
    const [choice = ''] = /\d+/.exec(keys) ?? [];
    if (choice === '0') return { kind: 'person' };
    return choice === '' || choice === '9' ? { kind: 'repeat' } : said(choice);
  }
  const [row = '', ...more] = ((memory.keyed ?? '') + keys).slice(0, longest + 1).split('#');
  const begun = row.slice(row.lastIndexOf('*') + 1);
  // Several keys at a time were collected by the gateway, which has removed the final `#`.
  const whole = entry === 'figures' && keys.length > 1;
  const ended = more.length > 0 || whole || (entry === 'code' && begun.length >= codeLength) || row.length > longest;
  if (!ended) {
    memory.keyed = begun;
    return { kind: 'none' };
  }
  delete memory.keyed;
  if (begun === '0') return { kind: 'person' };
  return begun === '' || begun === '9' ? { kind: 'repeat' } : said(begun);
};
