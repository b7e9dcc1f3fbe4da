// Writes the schema for editors anew: `npm run schema`.
import { writeFileSync } from 'node:fs';
import { flowJsonSchema } from '../../src/flows/grammar/schema.ts';

writeFileSync('src/flows/flows.schema.json', `${JSON.stringify(flowJsonSchema(), undefined, 2)}\n`);
