// A client against a misbehaving service, without waiting: pauses pass at once and are recorded.
import type { ClientOptions, ServiceClient } from '../../src/client/index.ts';
import { createServiceClient } from '../../src/client/index.ts';
import { type MisbehavingService, startMisbehavingService } from './misbehaving-service.ts';

export const secretKey = 'sk_canary_0001';

export interface ClientUnderTest {
  readonly service: MisbehavingService;
  /** The pauses of every client made here, in milliseconds. */
  readonly pauses: number[];
  /**
   * A client of the service. Its breaker stays closed unless the options say otherwise; jitter is half of the ceiling.
   */
  make(options?: Partial<ClientOptions>): ServiceClient;
  close(): Promise<void>;
}

export const startClientUnderTest = async (): Promise<ClientUnderTest> => {
  const service = await startMisbehavingService();
  const pauses: number[] = [];
  const clients: ServiceClient[] = [];
  return {
    service,
    pauses,
    make: (options = {}) => {
      pauses.length = 0;
      const client = createServiceClient({
        baseUrl: service.baseUrl,
        secretKey,
        random: () => 0.5,
        pause: async (milliseconds) => void pauses.push(milliseconds),
        breaker: { failures: 1_000 },
        ...options,
      });
      clients.push(client);
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close(0)));
      await service.close();
    },
  };
};
