// Puts beside the compiled code what the compiler leaves behind: styles, scripts, the demo catalogue, and Web Chat's own script.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.argv[2] ?? 'dist';

for (const folder of ['src/web/assets', 'src/service/assets']) {
  mkdirSync(join(out, folder), { recursive: true });
  cpSync(folder, join(out, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });
}
copyFileSync('src/service/demo.yaml', join(out, 'src/service/demo.yaml'));
copyFileSync(
  new URL('../dist/webchat.js', pathToFileURL(createRequire(import.meta.url).resolve('botframework-webchat'))),
  join(out, 'src/web/assets/webchat.js'),
);
