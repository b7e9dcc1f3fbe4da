// Files that customers upload: stored with their conversation, shown under a signed address, never able to act as a
// page of this site.
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { Answer } from '../platform/http/http-server.ts';
import type { ChatFile, ChatStore } from '../storage/index.ts';
import { fileUrlPrefix, type Incoming } from './activity.ts';
import { DirectLineError } from './rest.ts';

/** The most files of one conversation. */
const maxFiles = 50;

/** Images that browsers show without running anything in them. An SVG can contain a script, so it is not one. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export const isPicture = (contentType: unknown) => typeof contentType === 'string' && pictures.has(contentType);

const baseType = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A name without paths, control characters or characters that reverse the direction of text. */
const cleanName = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200) || 'file';

/**
 * Stores an upload's files and adds them to its activity.
 * @throws {DirectLineError} 413 if the conversation has too many already.
 */
export const keepFiles = async (
  chats: ChatStore,
  chatId: string,
  activity: Incoming,
  files: readonly ChatFile[],
  newId: () => string,
): Promise<Incoming> => {
  if ((await chats.countFiles(chatId)) + files.length > maxFiles) {
    throw new DirectLineError(413, 'MessageSizeTooBig', `A conversation can hold ${maxFiles} files at most.`);
  }
  const attachments = [];
  for (const { name, contentType, content } of files) {
    const id = newId();
    const file: ChatFile = { name: cleanName(name), contentType: baseType(contentType) || 'application/octet-stream', content };
    await chats.keepFile(chatId, id, file);
    attachments.push({ contentType: file.contentType, contentUrl: `${fileUrlPrefix}${id}`, name: file.name });
  }
  return { ...activity, type: 'message', attachments };
};

/** A name in a header (RFC 6266, RFC 8187): any name fits, and nothing in it can end the header. */
const headerName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A file as an answer: images to look at, everything else to save, all of it sandboxed. */
export const serveFile = ({ name, contentType, content }: ChatFile): Answer => {
  const picture = isPicture(contentType);
  return {
    status: 200,
    headers: {
      'Content-Type': picture ? contentType : 'application/octet-stream',
      'Content-Disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${headerName(name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'Cache-Control': 'private, max-age=3600, immutable',
      // The signed address is the permission, also for an embedding page of another origin.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  };
};

/** How many files, and bytes of each and of the activity's JSON. */
export const uploadLimits = { files: 5, fileSize: 4 * 1024 * 1024, activitySize: 256 * 1024 };

type UploadLimits = typeof uploadLimits;

/** Reads an upload without storing it, so that its sender gets the refusal. A file above the limit is cut off. */
export const discard = async (request: IncomingMessage, { fileSize }: UploadLimits): Promise<void> => {
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > fileSize) return;
  }
};

/**
 * Reads the files and the activity's raw JSON; `undefined` when only files came.
 * @throws {DirectLineError} 400 malformed, 413 too many or too large, 415 not multipart.
 */
export const readUpload = async (request: IncomingMessage, limits: UploadLimits) => {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new DirectLineError(415, 'BadArgument', 'Send the files as multipart/form-data.');
  // Up to a multiple of the limit, the rest is read and dropped: a client that is cut off in the middle never sees the
  // reason.
  const maxBytes = 4 * (limits.files * limits.fileSize + limits.activitySize);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(limits);
  const parser = parse({ ...request.headers, 'content-type': type }, limits);
  const parts: { field: string; name: string; contentType: string; chunks: Buffer[] }[] = [];
  let activity: string | undefined;
  let over = false;
  const tooMuch = () => {
    over = true;
  };

  await new Promise<void>((resolve, reject) => {
    parser.on('file', (field, stream, name, _encoding, contentType) => {
      const chunks: Buffer[] = [];
      parts.push({ field, name: name ?? '', contentType, chunks });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', tooMuch);
      stream.on('error', () => reject(malformed()));
    });
    parser.on('field', (field, value, _nameCut, cut) => {
      if (field === 'activity') activity = value;
      over ||= cut;
    });
    parser.on('filesLimit', tooMuch).on('partsLimit', tooMuch).on('fieldsLimit', tooMuch);
    parser.on('finish', resolve).on('error', () => reject(malformed()));
    // Without a length in advance, bytes are counted as they arrive.
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) reject(tooLarge(limits));
    });
    request.once('close', () => request.complete || reject(malformed()));
    request.pipe(parser);
  }).finally(() => request.unpipe(parser));

  // Browsers send the activity as a blob, which looks like a file.
  const blob = parts.find(({ field }) => field === 'activity');
  const files = parts.filter((part) => part !== blob);
  const json = blob ? Buffer.concat(blob.chunks).toString('utf8') : activity;
  if (over || (json?.length ?? 0) > limits.activitySize || files.length > limits.files) throw tooLarge(limits);
  return { activity: json, files: files.map(({ name, contentType, chunks }) => ({ name, contentType, content: Buffer.concat(chunks) })) };
};

const parse = (headers: IncomingMessage['headers'] & { 'content-type': string }, { files, fileSize, activitySize }: UploadLimits) => {
  try {
    return new Busboy({
      headers,
      limits: { files: files + 1, fileSize, fields: 1, fieldSize: activitySize, parts: files + 2, headerPairs: 20, headerSize: 4096 },
    });
  } catch {
    throw malformed();
  }
};

const malformed = () => new DirectLineError(400, 'BadArgument', 'The upload is not well-formed multipart/form-data.');

const tooLarge = ({ files, fileSize }: UploadLimits) =>
  new DirectLineError(413, 'MessageSizeTooBig', `Send ${files} files at most, each of ${fileSize} bytes at most.`);
