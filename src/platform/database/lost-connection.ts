// Postgres connections that end in the middle of a statement.
import type { ClientBase } from 'pg';
import { DatabaseUnavailable } from './database.ts';

/** The server ends the connection, or could not keep it (SQLSTATE classes 08 and 57P). */
const isLoss = (fault: unknown) => /^(?:08|57P)/.test(String(Object(fault).code));

/** A statement whose connection was lost fails as one for which there is none: it may be tried again. */
export const tellLoss = (client: ClientBase): void => {
  let lost = false;
  for (const event of ['error', 'end'] as const)
    client.on(event, () => {
      lost = true;
    });
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const told = (fault: unknown) => {
    throw lost || isLoss(fault) ? new DatabaseUnavailable(fault) : fault;
  };
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const answer = query(...given);
      return answer instanceof Promise ? answer.catch(told) : answer;
    },
  });
};
