// The doctor's message about interactions that this version cannot read.

/** How many are named. */
const most = 5;

/** The message for rows that are quarantined, with their ids. */
export const unreadableRows = (setting: string, ids: readonly string[]): string => {
  const named = ids.slice(0, most).join(', ');
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  const count = `${ids.length} unfinished interaction${ids.length === 1 ? '' : 's'}`;
  return `${setting}: ${count} cannot be read by this version (${named}${more}). Start the version that wrote them, or ask for help with these rows.`;
};
