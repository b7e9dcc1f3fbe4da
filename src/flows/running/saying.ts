// A flow's messages: its texts in the chat's language, with values filled in.
import type { Texts } from '../../../cards/index.ts';
import { say, type Turn } from '../../../dialogs/index.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import { evaluate, type FlowValues, partsOf, path } from '../grammar/expressions.ts';
import { type FlowSource, type FlowText, textIn } from '../grammar/schema.ts';
import { stepsOf } from '../program.ts';
import type { RunState } from './run-state.ts';

/** The values that a text needs, in plain JSON: they are stored with a waiting question. */
export interface Known {
  readonly values: FlowValues;
  readonly currencies: Readonly<Record<string, string>>;
  /** The titles of choices by name and value; absent in questions older than this field. */
  readonly titles?: Readonly<Record<string, Readonly<Record<string, FlowText>>>>;
}

/** A text as customers read it. */
export const shown = (known: Known, written: FlowText, t: Texts): string =>
  (partsOf(textIn(written, t.language)) ?? []).map((part) => ('text' in part ? part.text : shownValue(known, part.expression, t))).join('');

/** The value of an expression: an amount in its currency, a choice by its title. */
const shownValue = ({ values, currencies, titles = {} }: Known, expression: string, t: Texts): string => {
  const value = evaluate(expression, values);
  const [, name = '', field] = path.exec(expression) ?? [];
  if (typeof value === 'boolean') return t(value ? 'flows.yes' : 'flows.no');
  if (typeof value === 'string') {
    const title = field === undefined ? ownValue(ownValue(titles, name) ?? {}, value) : undefined;
    // Without titles, so that a title cannot refer to itself.
    if (title !== undefined) return shown({ values, currencies }, title, t);
    return /^\d{4}-\d\d-\d\d$/.test(value) ? t.date(value) : value;
  }
  const record = ownValue(values, name);
  const currency = field === 'amount' && typeof record === 'object' ? record.currency : ownValue(currencies, name);
  return typeof currency === 'string' ? t.money(value, currency) : t.number(value);
};

/** The values that a flow's texts need. */
export const knownIn = (flow: FlowSource, values: FlowValues): Known => {
  const asks = stepsOf(flow).flatMap(([, step]) => ('ask' in step ? [step] : []));
  const titles: Record<string, Record<string, FlowText>> = {};
  for (const { as, choices = [] } of asks)
    titles[as] = { ...titles[as], ...Object.fromEntries(choices.map(({ value, title }) => [value, title])) };
  const currencies = Object.fromEntries(asks.flatMap(({ as, currency }) => (currency === undefined ? [] : [[as, currency]])));
  return { values, currencies, titles };
};

/** Posts it under its own delivery key, so that a repeated turn posts nothing twice. */
export const sayIn = async (turn: Turn, state: RunState, text: string, answer?: 'later'): Promise<void> => {
  state.said += 1;
  turn.flowSaid?.push(text);
  await say(turn, text, { deliveryKey: `${state.run}:${state.said}:say`, ...(answer && { answer }) });
};
