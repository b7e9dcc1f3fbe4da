// Web Chat's store, with two differences: removed messages do not come back, and each message is sent once.
import { isRefused } from 'connection';

const identityOf = (activity) => activity?.channelData?.clientActivityID;

/**
 * A message that could not be sent, with the current time. Web Chat measures the time for sending from
 * `localTimestamp`.
 */
const renewed = (activity) => {
  const { state: _, 'webchat:send-status': __, ...channelData } = activity.channelData;
  return { ...activity, channelData, localTimestamp: new Date().toISOString() };
};

/**
 * Makes the store for a connection, and calls back once that is connected. `heard` is called with every message,
 * `onSend` when the customer sends one, and `onFull` when the conversation is full. `unsent` holds messages that were not accepted yet, by id and in order; it outlives the store, and `sendAgain` sends
 * them one after another.
 *
 * Web Chat restores a customer's removed message if its sending completes after the removal, so here the completion
 * carries the removal instead. Web Chat also resends a failed message as a new one beside the old, which the bot would
 * handle twice if the first did arrive: here it keeps its id, by which Direct Line recognises a repeat, and its place.
 */
export const makeStore = (directLine, { onConnected, onFull, onSend, heard, unsent }) => {
  const removed = new Map();
  const repeated = new Set();
  const changed = {
    'DIRECT_LINE/INCOMING_ACTIVITY': (activity) => {
      if (activity.type === 'messageDelete') removed.set(activity.id, activity);
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
      if (action.type === 'DIRECT_LINE/POST_ACTIVITY' && action.payload.activity.type === 'message') onSend();
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
