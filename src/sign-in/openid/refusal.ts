// Why a sign-in failed, derived from the error that openid-client threw.

/**
 * `declined`: by the provider's word, the person may not sign in or did not want to. `doubtful`: the answer is not the
 * one that the provider gave for this sign-in. `unavailable`: the provider does not answer, or not now. `code` is for
 * logs: a fixed word, never user input.
 */
export interface Refusal {
  readonly refused: 'declined' | 'doubtful' | 'unavailable';
  readonly code: string;
}

/** Errors of providers that concern the person (OpenID Connect Core, 3.1.2.6; RFC 6749, 4.1.2.1). */
const aboutPeople = ['access_denied', 'account_selection_required', 'consent_required', 'interaction_required', 'login_required'];
/** Error codes of openid-client for a provider that could not be reached. */
const unheard = ['OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_TIMEOUT'];

/** @throws the fault itself, if it is one of ours */
export const readRefusal = async (fault: unknown): Promise<Refusal> => {
  const { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client');
  if (fault instanceof AuthorizationResponseError) {
    return { refused: aboutPeople.includes(fault.error) ? 'declined' : 'unavailable', code: word(fault.error) };
  }
  if (fault instanceof ResponseBodyError) {
    const later = fault.status >= 500 || fault.status === 429;
    return { refused: later ? 'unavailable' : 'doubtful', code: word(fault.error) };
  }
  if (fault instanceof WWWAuthenticateChallengeError) return { refused: 'doubtful', code: 'client_refused' };
  if (fault instanceof ClientError) {
    const { code } = fault;
    return { refused: code === undefined || unheard.includes(code) ? 'unavailable' : 'doubtful', code: word(code ?? 'unreadable') };
  }
  // Network errors thrown by fetch contain the network's error; a TypeError without one is a mistake of ours.
  if (fault instanceof TypeError && fault.cause instanceof Error) {
    return { refused: 'unavailable', code: word((fault.cause as NodeJS.ErrnoException).code ?? 'unreachable') };
  }
  const { code } = fault as { code?: unknown };
  if (code === 'other_issuer') return { refused: 'unavailable', code };
  throw fault;
};

/** Anybody may have put a code into an address, so it is accepted only if it looks like one. */
const word = (code: string) => (/^[A-Za-z_]{1,50}$/.test(code) ? code : 'unknown');
