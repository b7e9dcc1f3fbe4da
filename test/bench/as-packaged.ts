// Preloaded by our sides of a comparison: the Bot Framework as the packages have it (docs/decisions/0155). The stock
// sides run it as it is published.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compiledForNode } from '../../.build/sdk.ts';

registerHooks({
  load: (url, context, nextLoad) => {
    const source = url.startsWith('file:') ? compiledForNode(fileURLToPath(url)) : undefined;
    return source === undefined ? nextLoad(url, context) : { format: 'commonjs', source, shortCircuit: true };
  },
});
