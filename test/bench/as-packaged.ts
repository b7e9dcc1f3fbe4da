// Preloaded by our sides of a comparison: the Bot Framework as the packages have it (docs/decisions/0155). The stock
// sides run it as it is published.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { botFramework, withNativeAwait } from '../../.build/native-await.ts';

registerHooks({
  load: (url, context, nextLoad) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : '';
    const source = botFramework.test(file) ? withNativeAwait(file, readFileSync(file, 'utf8')) : undefined;
    return source === undefined ? nextLoad(url, context) : { format: 'commonjs', source, shortCircuit: true };
  },
});
