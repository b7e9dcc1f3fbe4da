// A screenshot with 256 colours: a third of the bytes, and no difference that anybody sees in a page of flat surfaces.
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

const parts = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;
const distance = (one: number, other: number) => {
  const others = parts(other);
  return parts(one).reduce((sum, part, index) => sum + (part - (others[index] as number)) ** 2, 0);
};

/** The page as an indexed PNG (w3.org/TR/png-3). */
export const smallPng = async (page: Page): Promise<Buffer> => {
  const png = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  const { height, pixels, width } = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, pixels: [...new Uint32Array(data.buffer)] };
  }, png);
  // Little-endian RGBA, as canvases have it.
  const colours = pixels.map((pixel) => ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 0xff));
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([colour]) => colour);
  const nearest = new Map<number, number>();
  for (const colour of counts.keys())
    nearest.set(
      colour,
      palette.reduce((best, one, index) => (distance(one, colour) < distance(palette[best] as number, colour) ? index : best), 0),
    );
  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, colour] of colours.entries())
    rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = nearest.get(colour) as number;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const shown = palette.flatMap((colour) => parts(colour));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[
      chunk('IHDR', head),
      chunk('PLTE', Buffer.from(shown)),
      chunk('IDAT', deflateSync(rows, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ],
  ]);
};
