// What an exchange's fault means: undici's and Node's codes in the client's few words.
import { errors } from 'undici';
import type { Fault } from '../platform/exchange.ts';
import { type CallError, ProtocolError, type TransportCode, TransportError } from './errors.ts';

const transportCodes: Readonly<Record<string, TransportCode>> = {
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  ENOTFOUND: 'dns',
  EPROTO: 'tls',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CLOSED: 'closed',
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
};

/** OpenSSL's and Node's names for a certificate that is not trusted, and for a handshake that failed (nodejs.org/api/tls.html#x509-certificate-error-codes). */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_)/;

/**
 * The error for a fault without a complete answer.
 * @param stopped - what the deadline says, for an exchange that was stopped
 * @param sent - whether the request may have reached the service, in this attempt or an earlier one
 */
export const readFault = (operation: string, fault: Fault, stopped: TransportCode, sent: boolean): CallError => {
  if (fault.kind === 'stopped') return new TransportError(operation, stopped, { sent });
  if (fault.kind === 'too_large') return new ProtocolError(operation, 'too_large');
  const { error: cause } = fault;
  const code = String((cause as { code?: unknown }).code ?? '');
  // No cause here: undici puts what it could not parse into its error's data.
  if (cause instanceof errors.HTTPParserError) return new ProtocolError(operation, 'http');
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new ProtocolError(operation, 'too_large', { cause });
  const known = transportCodes[code] ?? (tlsCode.test(code) ? 'tls' : undefined);
  return new TransportError(operation, known ?? (sent ? 'reset' : 'connect'), { sent, cause });
};
