// Reading what departs from the interface: as far as it can be used, and no further. The interface itself stays as strict as its schemas.
import { z } from 'zod';

/** What a value may have been meant as: itself, a number or a truth written as text, a text that looks like a number. */
const meanings = (given: unknown): unknown[] => {
  if (typeof given === 'number') return [given, String(given)];
  if (typeof given !== 'string') return [given];
  const text = given.trim();
  // One plain way to write a number. In "1,500" nobody can tell what the comma is.
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return [given, Number(text)];
  return text === 'true' || text === 'false' ? [given, text === 'true'] : [given];
};

const read = <Field extends z.ZodType>(field: Field, given: unknown): z.ZodSafeParseSuccess<z.output<Field>> | undefined => {
  for (const meant of meanings(given)) {
    const parsed = field.safeParse(meant);
    if (parsed.success) return parsed;
  }
  return undefined;
};

/** A field that can be done without: absent where it is null or cannot be read. */
export const lenient = <Field extends z.ZodType>(field: Field) =>
  z
    .unknown()
    .transform((given): z.output<Field> | undefined => read(field, given)?.data)
    .optional();

/** A field that is needed, in any way in which it can be understood. */
export const needed = <Field extends z.ZodType>(field: Field) =>
  z.unknown().transform((given, context): z.output<Field> => {
    const parsed = read(field, given);
    if (parsed) return parsed.data;
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  });

/** A list without the entries that cannot be read. One of which nothing can be read is no empty list. */
export const readable = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(z.unknown()).transform((given, context): z.output<Entry>[] => {
    const entries = given.flatMap((one) => {
      const parsed = entry.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    if (given.length > 0 && entries.length === 0) context.addIssue({ code: 'custom', message: 'has no entry that can be read' });
    return entries;
  });

/** Fields of which each can be done without. */
export const allLenient = <Shape extends z.ZodRawShape>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, lenient(field as z.ZodType)])) as unknown as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodType<z.output<Shape[Name]> | undefined>>;
  };
