// What is used of a library that has no types of its own.
declare module 'arabic-persian-reshaper' {
  const shapers: { readonly ArabicShaper: { convertArabic(text: string): string } };
  export default shapers;
}
