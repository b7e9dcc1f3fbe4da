// Renders the messages and events of a conversation.
import { copy, discard, explain } from 'desk-acts';
import { html, Icon, Time } from 'desk-parts';
import { flowTitle, now, state, talkOf } from 'desk-state';
import { dayOf, has, named, t } from 'desk-words';

/** New messages are animated; those of a conversation that was just opened are not. */
const fresh = (at) => (at === undefined || now() - at < 2_000 ? 'fresh' : '');

/** Messages of one side within a minute form one group under one name. */
const Bubble = ({
  from,
  name,
  at,
  text,
  files = [],
  verified,
  phone,
  note,
  follows = false,
}) => html`<li class=${`bubble ${from} ${follows ? 'follows' : ''} ${fresh(at)}`}>
  <p class=${follows ? 'by hidden' : 'by'}><span>${name}</span>${at && html`<${Time} at=${at} bare />`}${verified && html`<span class="then"><${Icon} name="verified" />${t('verifiedThen')}${phone && html` <bdi dir="ltr">${phone}</bdi>`}</span>`}</p>
  ${text && html`<p class="text" dir="auto">${text}</p>`}
  ${files.map(({ name: file, url }) => html`<p class="text"><a href=${url} target="_blank" rel="noopener noreferrer"><${Icon} name="file" /><bdi>${file}</bdi></a></p>`)}
  ${note}
</li>`;

const Note = ({ at, text, kind = '' }) =>
  html`<li class=${`happening ${kind} ${fresh(at)}`}><span>${text}</span> <${Time} at=${at} bare /></li>`;

/** How a conversation ended, in words. */
export const endingOf = ({ by, ending, wrapUp }) => {
  if (ending === 'finished' && wrapUp) return t('event.finishedAs', { code: named('wrapUp', wrapUp) });
  if (ending === 'returned' && by === 'customer') return t('event.returnedBy');
  return has(`event.${ending}`) ? t(`event.${ending}`) : ending;
};

const kinds = { success: 'good', failure: 'bad', timeout: 'bad' };

/** Messages from before an agent joined: the customer's and the bot's, each with its time. */
const linesOf = (lines) =>
  lines.map(({ agent, from, text, at, phone, verified }) => ({
    ...{ from: from === 'customer' ? 'customer' : 'bot', name: from === 'agent' ? (agent ?? t('role.agent')) : t(from), text, at },
    ...(verified && from === 'customer' && { verified, phone: ofAnother(phone) }),
  }));

/** The number with which a customer was verified then, if that is not the person whom the badge is about. */
const ofAnother = (phone) => {
  const { badge } = state.rows.get(state.open) ?? talkOf(state.open).panel ?? {};
  return phone === badge?.phone ? undefined : phone;
};

/** The bubbles and notes that show an event. */
const itemsOf = (event) => {
  const { at } = event;
  const note = (text, kind) => [{ text, kind, at }];
  // The person whom the badge is about is named beside it.
  const entry = talkOf(state.open)?.panel?.timeline.find(({ id }) => id === event.request);
  const whom = entry ? entry.whom : event.whom;
  const { who, before } = event.another ?? {};
  const another = who ? note(t('event.another', { who, before }), 'changed') : [];
  switch (event.type) {
    case 'requested':
      return [
        ...(event.lines.length > 0 ? [{ divider: t('before') }] : []),
        // A message that was left is shown separately, below.
        ...linesOf(event.lines.filter(({ text }, index, all) => index < all.length - 1 || text !== event.note)),
        ...note(
          event.flow ? t('flowAsks', { flow: flowTitle(event.flow.name), reason: event.flow.reason }) : named('reason', event.reason),
        ),
        ...(event.note ? [{ from: 'customer', name: t('left'), at, text: event.note }] : []),
      ];
    case 'waited':
      return linesOf(event.lines);
    case 'message':
      return [
        ...another,
        { from: 'customer', name: t('customer'), at, ...event.message, verified: event.verified, phone: ofAnother(event.phone) },
      ];
    case 'said':
      return [{ from: 'agent', name: event.agent, at, ...event.message }];
    case 'joined':
      return [
        ...note(event.from ? t('event.handed', { agent: event.agent, from: event.from }) : t('event.joined', { agent: event.agent })),
        ...(event.note ? [{ from: 'colleague', name: t('noteOf', { agent: event.from }), at, text: event.note }] : []),
      ];
    case 'released':
      return note(t('event.released', { agent: event.agent }), 'bad');
    case 'started':
      if (event.flow) return note(t('event.started', { agent: event.agent, app: flowTitle(event.flow) }));
      return note(t(whom ? 'event.startedFor' : 'event.started', { agent: event.agent, app: named('app', event.app), whom }));
    case 'bot':
      return event.lines.map((text) => ({ from: 'bot', name: t('bot'), at, text }));
    case 'flow':
      return note(t('event.outcome', { app: flowTitle(event.flow), status: named('status', event.status) }), kinds[event.status]);
    case 'outcome':
      return [
        ...note(
          t(whom ? 'event.outcomeFor' : 'event.outcome', { app: named('app', event.app), status: named('status', event.status), whom }),
          kinds[event.status],
        ),
        ...another,
      ];
    case 'verification':
      return another;
    case 'ended':
      return note(endingOf(event));
    default:
      return [];
  }
};

const together = 60_000;

/** Puts the date above each day's messages, unless all are from today. */
const byDay = (items) => {
  let day = dayOf(now());
  return items.flatMap((item) => {
    const next = item.at === undefined ? day : dayOf(item.at);
    if (next === day) return [item];
    day = next;
    return [{ divider: next, key: `${item.key} day` }, item];
  });
};

export const Said = ({ events }) => {
  const items = byDay(events.flatMap((event) => itemsOf(event).map((item, index) => ({ ...item, key: `${event.number}.${index}` }))));
  return items.map((item, index) => {
    const before = items[index - 1];
    const follows =
      before?.from !== undefined &&
      before.from === item.from &&
      before.name === item.name &&
      !before.verified === !item.verified &&
      item.at - before.at < together;
    if (item.divider) return html`<li key=${item.key} class="divider">${item.divider}</li>`;
    return item.from ? html`<${Bubble} ...${item} follows=${follows} />` : html`<${Note} ...${item} />`;
  });
};

export const Pending = ({ talk, message }) =>
  html`<${Bubble} from="agent" name=${t('you')} text=${message.text} note=${
    message.state === 'refused'
      ? html`<p class="refused">${t('refusedMessage')} ${explain(message, state.rows.get(talk.id))} <button type="button" class="link" onClick=${() => copy(message.text)}>${t('copy')}</button> <button type="button" class="link" onClick=${() => discard(talk.id, message.id)}>${t('discard')}</button></p>`
      : html`<p class="pending">${message.state === 'sent' ? '' : t(state.connection === 'open' ? 'sending' : 'notSent')}</p>`
  } />`;
