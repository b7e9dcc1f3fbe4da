// Web Chat's store, with what we do differently about messages: changes are read out, nothing comes back that was
// removed, each is sent once.
import { isRefused } from 'connection';

/**
 * Web Chat reads out what is added, and nothing that is changed in place: a step of a waiting card, say. Answers what
 * an activity says that it did not say before, or nothing where it is new.
 */
const makeChanges = () => {
  const said = new Map();
  return ({ id, speak, type, from }) => {
    if (type !== 'message' || from?.role !== 'bot' || !speak) return [];
    const lines = speak.split('\n');
    const before = said.get(id);
    said.set(id, lines);
    return before ? lines.filter((line) => !before.includes(line)) : [];
  };
};

const identityOf = (activity) => activity?.channelData?.clientActivityID;

/**
 * A message that could not be sent, as new as it is now. Web Chat counts the time that sending may take from
 * `localTimestamp`.
 */
const renewed = (activity) => {
  const { state: _, 'webchat:send-status': __, ...channelData } = activity.channelData;
  return { ...activity, channelData, localTimestamp: new Date().toISOString() };
};

/**
 * Makes the store for a connection, and calls back once that is connected. `announce` is given the lines that a message
 * says since it was changed, `heard` every message; `onFull` is called when the conversation takes no more. `unsent`
 * holds what was not taken yet, by its identity and in the order in which it was said; it outlives the store, and
 * `sendAgain` sends it, each after the one before.
 *
 * Web Chat brings a message of the customer's own to life again when its sending completes after its removal, so what
 * completes is what is left. And it sends a failed message again as a new one beside the old, which the bot would heed
 * twice when the first did arrive: here it keeps its identity, by which Direct Line knows a repetition, and its place.
 */
export const makeStore = (directLine, { onConnected, onFull, announce, heard, unsent }) => {
  const changes = makeChanges();
  const removed = new Map();
  const repeated = new Set();
  const changed = {
    'DIRECT_LINE/INCOMING_ACTIVITY': (activity) => {
      if (activity.type === 'messageDelete') removed.set(activity.id, activity);
      announce(changes(activity));
      heard(activity);
      return activity;
    },
    'DIRECT_LINE/POST_ACTIVITY_FULFILLED': (activity) => removed.get(activity.id) ?? activity,
  };

  let sendAgain = () => {};
  const store = window.WebChat.createStore({}, ({ dispatch }) => {
    const tell = (what, clientActivityID, payload) =>
      dispatch({ type: `DIRECT_LINE/POST_ACTIVITY_${what}`, meta: { clientActivityID }, payload });
    /** @returns {Promise<void>} */
    const repeat = (identity, activity) => {
      repeated.add(identity);
      tell('PENDING', identity, { activity });
      return new Promise((resolve) => {
        const error = (fault) => {
          tell('REJECTED', identity, fault);
          resolve();
        };
        directLine.postActivity(activity).subscribe({ error, complete: resolve });
      });
    };
    let sending = false;
    sendAgain = async () => {
      if (sending) return;
      sending = true;
      for (const [identity, activity] of [...unsent]) if (unsent.has(identity)) await repeat(identity, renewed(activity));
      sending = false;
    };
    return (next) => (action) => {
      const identity = identityOf(action.payload?.activity);
      if (action.type === 'DIRECT_LINE/POST_ACTIVITY' && identity !== undefined) {
        repeat(identity, renewed(action.payload.activity));
        return action;
      }
      const change = changed[action.type];
      const result = next(change ? { ...action, payload: { ...action.payload, activity: change(action.payload.activity) } } : action);
      if (action.type === 'DIRECT_LINE/POST_ACTIVITY_PENDING' && !unsent.has(identity)) unsent.set(identity, action.payload.activity);
      if (action.type === 'DIRECT_LINE/INCOMING_ACTIVITY') unsent.delete(identity);
      if (action.type === 'DIRECT_LINE/POST_ACTIVITY_REJECTED' && isRefused(action.payload)) unsent.delete(action.meta.clientActivityID);
      if (action.type === 'DIRECT_LINE/POST_ACTIVITY_REJECTED' && action.payload?.status === 413) onFull();
      if (action.type === 'DIRECT_LINE/CONNECT_FULFILLED') {
        onConnected();
        sendAgain();
      }
      if (action.type === 'DIRECT_LINE/INCOMING_ACTIVITY' && repeated.delete(identity)) tell('FULFILLED', identity, action.payload);
      return result;
    };
  });
  return { store, sendAgain: () => sendAgain() };
};
