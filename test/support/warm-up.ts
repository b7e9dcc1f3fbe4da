// Loads what most tests load, and leaves the compiled code where the processes of the next run find it.
import { enableCompileCache } from 'node:module';
import { compiledFolder } from './tier.ts';

enableCompileCache(compiledFolder());
await import('./whole.ts');
await import('./conversation-under-test.ts');
await import('./browser.ts');
