// Downloads, with file names by which people find them again.
import { create } from 'content-disposition';
import type { Answer } from '../../platform/http/http-server.ts';

/** Bytes of a name, below the 255 that file systems take, with room for the ` (1)` of a second download. */
const maxBytes = 200;

/** A PDF for a download. */
export class Download {
  readonly file: Buffer;
  /** The parts of its name, in any script: a title, a day. */
  readonly name: readonly string[];
  constructor(file: Buffer, name: readonly string[]) {
    this.file = file;
    this.name = name;
  }

  /** The file as an answer to a browser. */
  get answer(): Answer {
    return { status: 200, headers: this.headers, body: this.file };
  }

  /**
   * Its headers: the name in full, and one in ASCII for clients that need it (RFC 6266, RFC 8187).
   */
  get headers(): Readonly<Record<string, string>> {
    const full = fileName(this.name);
    return {
      'Content-Type': 'application/pdf',
      'Content-Disposition': create(`${full}.pdf`, { fallback: `${inAscii(full)}.pdf` }),
    };
  }
}

/**
 * Text that every file system accepts: no separator of folders, drives or streams, no invisible or bidirectional
 * control, no dot or space at either end.
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
  // The title is shortened, so that the parts that distinguish two files stay.
  const rest = others.map((part) => ` – ${part}`).join('');
  return (upTo(maxBytes - Buffer.byteLength(rest), title).trim() + rest).replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '') || 'document';
};

const upTo = (bytes: number, text: string): string => {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
};

/** The same in ASCII: letters without accents, and a placeholder for all others. */
const inAscii = (name: string): string => {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[^\x20-\x7e]+|["%\\]/g, '_')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return /[A-Za-z]/.test(ascii) ? ascii : 'document';
};
