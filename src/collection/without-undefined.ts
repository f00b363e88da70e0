/** Leaves out fields that were not given, so that they do not replace what is there. */
export function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  // the same keys and values, without the undefined ones
  return Object.fromEntries(given) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> }
}
