import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Whether a package can be installed where releases are built: on Linux with glibc, on x64. */
const isForReleases = ({ cpu = ['x64'], libc = ['glibc'], os = ['linux'] }: Entry) =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Readonly<Record<string, Entry>> };

describe('the supply chain', () => {
  const entries = Object.entries<Entry>(packages).filter(([path, { link }]) => /(?:^|\/)node_modules\//.test(path) && !link);

  it('has the digest of every package, but for optional binaries of other systems than releases are built on', () => {
    const without = entries.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
    assert.ok(entries.length > 1000);
    assert.deepEqual(
      without.filter(([path, entry]) => isForReleases(entry) || !entry.optional || !/@biomejs\/cli-|@oxc-parser\/binding-/.test(path)),
      [],
    );
  });

  it('runs actions by their commits', () => {
    const uses = globSync('.github/workflows/*.yml').flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/uses: *(.*)/g)]);
    assert.ok(uses.length > 0);
    for (const [, action = ''] of uses) assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v[\d.]+$/);
  });
});
