// Measures programs' operations from outside: each by its interface and its outcome.
import { problemOf } from '../platform/http/http-problem.ts';
import type { Telemetry } from '../platform/telemetry.ts';
import type { ProgramOperation } from './operations.ts';

/** The programs' interface: an MCP tool, or an operation of the connector. */
export type ProgramWay = 'mcp' | 'connector';

/** Counts the operations, and times them in the trace. Neither the program nor what it sent is recorded. */
export const observeOperations = (telemetry: Telemetry) => {
  const calls = telemetry.counter(
    'countersign_program_calls_total',
    'Operations that programs asked for: `ok`, or the status of the refusal',
    ['way', 'operation', 'status'],
  );
  return (way: ProgramWay, operations: readonly ProgramOperation[]): ProgramOperation[] =>
    operations.map((operation) => ({
      ...operation,
      run: async (...given) => {
        // The metrics of flows name the flow.
        const name = operation.name.startsWith('start_flow_') ? 'start_flow' : operation.name;
        const count = (status: string) => calls({ way, operation: name, status });
        try {
          const answer = await telemetry.span('program call', { way, operation: name }, () => operation.run(...given));
          count('ok');
          return answer;
        } catch (fault) {
          count(String(problemOf(fault).status));
          throw fault;
        }
      },
    }));
};
