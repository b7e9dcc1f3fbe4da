// Can the bot get the token that every channel requires?

import { type AccessToken, TokenError } from '../../../bot/index.ts';
import { type Finding, ok, unknown, wrong } from '../../../platform/process/finding.ts';
import { ownValue } from '../../../platform/text/own-value.ts';

/** The codes of Microsoft's authority (MSAL) for wrong settings, with the setting of each. */
const refusals: Readonly<Record<string, string>> = {
  invalid_client:
    'the authority does not accept MicrosoftAppPassword (invalid_client). Create a new client secret and set its value, not its id.',
  unauthorized_client:
    'the authority does not know MicrosoftAppId in this tenant (unauthorized_client). Check it, MicrosoftAppType and MicrosoftAppTenantId.',
  invalid_request: 'the authority does not understand the request (invalid_request). Check MicrosoftAppId and MicrosoftAppTenantId.',
};

/** @param token - `undefined` without an app id */
export const checkBotIdentity = async (token: AccessToken | undefined): Promise<Finding> => {
  if (!token) return ok('no app id is set: the bot serves this machine only.');
  try {
    await token.get();
    return ok('the authority issues the bot’s token.');
  } catch (fault) {
    if (!(fault instanceof TokenError)) throw fault;
    const known = ownValue(refusals, fault.reason ?? '');
    if (known) return wrong(known);
    const reason = fault.reason ? ` (${fault.reason})` : '';
    return fault.code === 'token_timeout'
      ? unknown('the authority did not answer in time. Can this machine reach login.microsoftonline.com?')
      : unknown(
          `no token could be obtained${reason}. Can this machine reach login.microsoftonline.com, and are the MicrosoftApp settings right?`,
        );
  }
};
