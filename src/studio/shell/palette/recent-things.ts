import type { ThingReference } from './things'

/** The browser's storage key for the entries that a member has opened in a project: kinds and ids, never names. */
const recentKey = (member: string, slug: string): string => `tilth.recent.${member}.${slug}`

const most = 8

export function recentThings(member: string, slug: string): ThingReference[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(recentKey(member, slug)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isReference).slice(0, most) : []
  } catch {
    return []
  }
}

/** Moves the thing to the front of the list. A browser that refuses storage has no recent things. */
export function rememberThing(member: string, slug: string, { kind, id }: ThingReference): void {
  const others = recentThings(member, slug).filter((one) => one.kind !== kind || one.id !== id)
  try {
    localStorage.setItem(recentKey(member, slug), JSON.stringify([{ kind, id }, ...others].slice(0, most)))
  } catch {
    // storage is full or blocked
  }
}

/** The server checks the kind. */
const isReference = (value: unknown): value is ThingReference =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'id' in value &&
  typeof value.kind === 'string' &&
  typeof value.id === 'string'
