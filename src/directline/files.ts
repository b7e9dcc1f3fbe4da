// Files that customers upload: kept with their conversation, shown to whoever holds a signed address, never able to act as a page of ours.
import type { Answer } from '../platform/http-server.ts';
import type { ChatFile, ChatStore } from '../storage/chats.ts';
import { fileUrlPrefix, type Incoming } from './activity.ts';
import { DirectLineError } from './errors.ts';
import type { UploadedFile } from './upload.ts';

/** Files of one conversation. */
const mostFiles = 50;

/** Pictures that browsers show without running anything in them; an SVG can hold a script, so it is not one. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export const isPicture = (contentType: unknown) => typeof contentType === 'string' && pictures.has(contentType);

const baseType = (contentType: string) => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A name without paths, control characters or anything that turns text around. */
const cleanName = (name: string) =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 200) || 'file';

/** Keeps an upload's files and puts them into its activity. @throws {DirectLineError} 413 when the conversation has too many already. */
export const keepFiles = async (
  chats: ChatStore,
  chatId: string,
  activity: Incoming,
  files: readonly UploadedFile[],
  newId: () => string,
): Promise<Incoming> => {
  if ((await chats.countFiles(chatId)) + files.length > mostFiles) {
    throw new DirectLineError(413, 'MessageSizeTooBig', `A conversation can hold ${mostFiles} files at most.`);
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

/** A name in a header (RFC 6266, RFC 8187): any name is carried, and nothing in it can end the header. */
const headerName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A file as it is answered: pictures to look at, everything else to save, all of it sandboxed. */
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
