// The order of the list: those who wait, the agent's own, the others', and chats with the bot.
import { isMine, now, state } from 'desk-state';

export const waiting = () =>
  [...state.rows.values()].filter((row) => row.state === 'requested').sort((one, other) => one.createdAt - other.createdAt);
/** Those that the agent has chosen to see. */
export const listed = () => {
  const { language, verified } = state.filter;
  return waiting().filter((row) => (language === '' || row.language === language) && (!verified || row.badge.state === 'verified'));
};
/** The agent's languages, as their browser has them. */
const spoken = new Set(navigator.languages.map((one) => one.split('-')[0]));
/** Less time than this (ms) is little. */
export const soon = 2 * 60_000;
/** The next to be taken: one that will not wait much longer, then one in the agent's languages, the oldest first. */
export const nextWaiting = () => {
  const all = listed();
  const leaves = ({ dueAt }) => dueAt !== undefined && dueAt - now() < soon;
  return all.find(leaves) ?? all.find(({ language }) => spoken.has(language.split('-')[0])) ?? all[0];
};
export const mine = () => [...state.rows.values()].filter(isMine).sort((one, other) => one.createdAt - other.createdAt);
export const others = () =>
  [...state.rows.values()].filter((row) => row.state === 'accepted' && !isMine(row)).sort((one, other) => one.createdAt - other.createdAt);

/** Chats that are with the bot, the longest wait first. */
export const withBot = () => [...state.running.values()].sort((one, other) => one.since - other.since);

/** The rows in display order. */
export const inOrder = () => [...mine(), ...listed(), ...others()];
