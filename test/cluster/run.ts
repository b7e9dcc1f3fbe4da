// The process behind `npm run cluster`: three replicas to try, until Ctrl-C.
import { startCluster } from './cluster.ts';

const cluster = await startCluster({ port: Number(process.env.PORT ?? 3978) });
const width = Math.max(...cluster.addresses.map(([label]) => label.length));
for (const [label, address] of cluster.addresses) console.log(`${label.padEnd(width)}  ${address}`);

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  await cluster.close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
