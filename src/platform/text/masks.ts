// Personal data as an unverified chat may show it: enough to recognise oneself, not enough to identify a stranger.

const dots = '•••';

/** `Jane Doe` as `J••• D.` */
export const maskName = (name: string) => {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const last = rest.at(-1);
  return [`${[...first][0] ?? ''}${dots}`, last && `${[...last][0]}.`].filter(Boolean).join(' ');
};

/** `jane@example.com` as `j•••@•••.com` */
export const maskEmail = (email: string) => {
  const [local = '', domain = ''] = email.split('@');
  const ending = domain.includes('.') ? domain.slice(domain.lastIndexOf('.')) : '';
  return `${[...local][0] ?? ''}${dots}@${dots}${ending}`;
};

/** `+12025550101` as `+1•••0101` */
export const maskPhoneNumber = (phoneNumber: string) => `${phoneNumber.slice(0, 2)}${dots}${phoneNumber.slice(-4)}`;
