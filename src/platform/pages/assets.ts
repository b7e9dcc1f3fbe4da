// Static content, compressed once per encoding and cached by browsers for good under an address that changes with it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer, HttpRequest, HttpServer } from '../http/http-server.ts';

export interface AssetFile {
  /** The name in the address, `chat.js`. */
  readonly name: string;
  readonly file: URL;
  /** Unset: as the end of the name says, a style sheet or a script. */
  readonly type?: string;
  /**
   * The whole address, for modules that import each other by relative addresses; it must change with the content too.
   */
  readonly path?: string;
}

/** A library's file for browsers: the copy in the build, or else the one in the development dependency. */
export const shipped = (copy: URL, original: () => URL): URL => (existsSync(copy) ? copy : original());

/** The style sheets of every page: the colours, and what pages are made of. */
export const sharedStyles = ['tokens.css', 'components.css'] as const;

export const sharedFiles = sharedStyles.map((name) => ({ name, file: new URL(`assets/${name}`, import.meta.url) }));

/** The paths that a server has already: pages of several rooms share files. */
const servedBy = new WeakMap<HttpServer, Set<string>>();

/** Files already read, by type and file: all bots and services in one process share them and their compressed forms. */
const known = new Map<string, Cached>();

const read = async (file: URL, type: string): Promise<Cached> => {
  const key = `${type} ${file.href}`;
  const held = known.get(key);
  if (held) return held;
  const made = makeCached(await readFile(file), { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' });
  known.set(key, made);
  return made;
};

const typeOf = (name: string) => (name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8');

const load = async ({ name, file, type = typeOf(name), path }: AssetFile) => {
  const { hash, answer } = await read(file, type);
  const dot = name.lastIndexOf('.');
  return { name, path: path ?? `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`, answer };
};

/**
 * Serves each file under one address only, and returns the addresses by file name. Rejects when a file cannot be read.
 */
export const addAssets = async <Name extends string>(
  server: HttpServer,
  files: readonly (AssetFile & { readonly name: Name })[],
): Promise<Readonly<Record<Name, string>>> => {
  const assets = await Promise.all(files.map(load));
  const served = servedBy.get(server) ?? new Set();
  servedBy.set(server, served);
  for (const { path, answer } of assets) {
    if (!served.has(path)) server.route('GET', path, answer, { body: 'none' });
    served.add(path);
  }
  return Object.fromEntries(assets.map(({ name, path }) => [name, path])) as Record<Name, string>;
};

type Encoding = 'br' | 'gzip' | 'identity';
type Encode = (content: Buffer) => Promise<Buffer>;

// Middling levels: the last few per cent of the largest script would take seconds at start on a small machine.
const encoders: Record<Encoding, Encode> = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 7 }),
  identity: async (content) => content,
};

/**
 * The best encoding that the client accepts (RFC 9110, 12.5.3). `*` is ignored, since every browser names what it
 * accepts.
 */
const encodingFor = ({ 'accept-encoding': header }: HttpRequest['headers']): Encoding => {
  const taken = String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? 'identity';
};

/** Headers of every answer with this content, its type and caching among them. */
export type CachedHeaders = Readonly<Record<string, string>> & { readonly 'Content-Type': string; readonly 'Cache-Control': string };

export type Cached = ReturnType<typeof makeCached>;

export const makeCached = (content: Buffer, { 'Content-Type': type, ...always }: CachedHeaders) => {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const encoded = new Map<Encoding, Promise<Buffer>>();
  const inEncoding = (encoding: Encoding) => {
    const ready = encoded.get(encoding) ?? encoders[encoding](content);
    encoded.set(encoding, ready);
    return ready;
  };
  return {
    /** Identifies the content: the first 16 hexadecimal digits of its SHA-256. */
    hash,
    /** The content in an encoding that the client accepts, or 304 when the client has it already (RFC 9110, 13.1.2). */
    answer: async ({ headers: asked }: Pick<HttpRequest, 'headers'>): Promise<Answer> => {
      const encoding = encodingFor(asked);
      // Strong, so it names the bytes of this encoding (RFC 9110, 8.8.3).
      const etag = `"${hash}-${encoding}"`;
      const headers = { ...always, ETag: etag, Vary: 'Accept-Encoding' };
      const held = String(asked['if-none-match'] ?? '')
        .split(',')
        .map((tag) => tag.trim());
      if (held.includes(etag) || held.includes('*')) return { status: 304, headers };
      return {
        status: 200,
        headers: { ...headers, 'Content-Type': type, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) },
        body: await inEncoding(encoding),
      };
    },
  };
};
