import { isSameText } from '#collection/canonical-text'

/** The fields of a draft that differ, in the order of their labels. */
export function changedFields<Draft extends object>(
  labels: Record<keyof Draft, string>,
  before: Draft,
  after: Draft,
): (keyof Draft)[] {
  // the labels are those of every field
  const names = Object.keys(labels) as (keyof Draft)[]
  return names.filter((name) => !isSameText(before[name], after[name]))
}

/** The same by their labels. */
export const changedLabels = <Draft extends object>(
  labels: Record<keyof Draft, string>,
  before: Draft,
  after: Draft,
): string[] => changedFields(labels, before, after).map((name) => labels[name])

/** After a save, keeps the fields that were edited during it and takes the rest from what was saved. */
export function rebaseDraft<Draft extends object>(now: Draft, sent: Draft, saved: Draft): Draft {
  const edited = Object.entries(now).filter(([name, value]) => !isSameText(value, Reflect.get(sent, name)))
  return { ...saved, ...Object.fromEntries(edited) }
}
