// Which addresses a customer may be sent to.

/** The address if it is an https one that shows where it leads (no credentials in front of the host), else `undefined`. */
export const httpsLink = (address: string | undefined): string | undefined => {
  if (address === undefined || address.length > 2000 || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  return protocol === 'https:' && username === '' && password === '' ? href : undefined;
};
