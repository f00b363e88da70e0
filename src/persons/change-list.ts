import type { Json, ListChange } from '#events/event'

/** A longer list is no property of a person. */
const mostItems = 1000

/** Returns the list after a change. A value that is no list becomes the first item of one. */
export function changeList(before: Json | undefined, { kind, item }: ListChange): Json[] {
  const list = Array.isArray(before) ? before : before === undefined || before === null ? [] : [before]
  const items = Array.isArray(item) ? item : [item]
  if (kind === 'remove') return list.filter((one) => !includes(items, one))
  const added = kind.endsWith('-absent') ? items.filter((one) => !includes(list, one)) : items
  return (kind.startsWith('append') ? [...list, ...added] : [...added, ...list]).slice(0, mostItems)
}

const includes = (list: readonly Json[], item: Json): boolean =>
  list.some(
    (one) => one === item || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(item)),
  )
