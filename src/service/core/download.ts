// Files that people keep: answered under a name by which they are found again.
import { create } from 'content-disposition';

/** Bytes of a name, below the 255 that file systems take, with room for the ` (1)` of a second download. */
const most = 200;

/** A file to be kept. */
export class Download {
  readonly file: Buffer;
  readonly type: 'application/pdf';
  /** What it is called by, in any script: a title, a day. The ending is the type's. */
  readonly name: readonly string[];
  constructor(file: Buffer, type: 'application/pdf', name: readonly string[]) {
    this.file = file;
    this.type = type;
    this.name = name;
  }

  /**
   * The headers that it travels with: its name in full, and one in ASCII for what cannot read that (RFC 6266, RFC
   * 8187).
   */
  get headers(): Readonly<Record<string, string>> {
    const full = fileName(this.name);
    return {
      'Content-Type': this.type,
      'Content-Disposition': create(`${full}.pdf`, { fallback: `${inAscii(full)}.pdf` }),
    };
  }
}

/**
 * Text as every file system takes it: nothing that separates folders or names a drive or a stream, nothing that cannot
 * be seen or turns text around, no dot or space at an end.
 */
const fileName = (parts: readonly string[]): string => {
  const visible = parts.map((part) =>
    part
      .normalize('NFC')
      .replace(/[\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu, '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .replace(/["*/:<>?\\|]+/g, '-'),
  );
  const [title = '', ...others] = visible.filter((part) => part.trim() !== '');
  // The title is shortened, so that what distinguishes two files stays.
  const rest = others.map((part) => ` – ${part}`).join('');
  return (upTo(most - Buffer.byteLength(rest), title).trim() + rest).replace(/^[\s.]+|[\s.]+$/g, '') || 'document';
};

const upTo = (bytes: number, text: string): string => {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
};

/** The same in ASCII: letters without their accents, and a sign in place of what has none. */
const inAscii = (name: string): string => {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[^\x20-\x7e]+|["%\\]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return /[A-Za-z]/.test(ascii) ? ascii : 'document';
};
