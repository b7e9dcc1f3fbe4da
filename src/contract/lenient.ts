// Reads answers that depart from the interface as far as they are usable. The interface itself stays as strict as its
// schemas.
import { z } from 'zod';

/** What a value may have been meant as: itself; a number or boolean written as text; text that looks like a number. */
const meanings = (given: unknown): unknown[] => {
  if (typeof given === 'number') return [given, String(given)];
  if (typeof given !== 'string') return [given];
  const text = given.trim();
  // One plain way to write a number. In "1,500" the comma is ambiguous.
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

/** An optional field: absent where it is null or unreadable. */
export const lenient = <Field extends z.ZodType>(field: Field) =>
  z
    .unknown()
    .transform((given): z.output<Field> | undefined => read(field, given)?.data)
    .optional();

/** A required field, in any form that can be understood. */
export const needed = <Field extends z.ZodType>(field: Field) =>
  z.unknown().transform((given, context): z.output<Field> => {
    const parsed = read(field, given);
    if (parsed) return parsed.data;
    context.addIssue({ code: 'custom', message: 'cannot be read' });
    return z.NEVER;
  });

/** A list without its unreadable entries. If none is readable, the list is unreadable too, not empty. */
export const readable = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(z.unknown()).transform((given, context): z.output<Entry>[] => {
    const entries = given.flatMap((one) => {
      const parsed = entry.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    if (given.length > 0 && entries.length === 0) context.addIssue({ code: 'custom', message: 'has no entry that can be read' });
    return entries;
  });

/** Fields that are all optional. */
export const allLenient = <Shape extends z.ZodRawShape>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, lenient(field as z.ZodType)])) as unknown as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodType<z.output<Shape[Name]> | undefined>>;
  };
