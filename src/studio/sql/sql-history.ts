import type { SqlDraft } from './sql-draft'
import { draftFrom, draftText } from './sql-draft'

const maxRemembered = 20

const storageKey = (slug: string): string => `tilth.sql.${slug}`

/** Returns recent queries of this browser, the latest first. */
export function remembered(slug: string): SqlDraft[] {
  const stored: unknown = JSON.parse(storedHistory(slug))
  if (!Array.isArray(stored)) return []
  return stored.flatMap((text) => (typeof text === 'string' ? (draftFrom(text) ?? []) : []))
}

export function remember(slug: string, draft: SqlDraft): void {
  const others = remembered(slug).filter(({ text }) => text.trim() !== draft.text.trim())
  const texts = [draft, ...others].slice(0, maxRemembered).map(draftText)
  try {
    localStorage.setItem(storageKey(slug), JSON.stringify(texts))
  } catch {
    // A browser that keeps nothing still runs everything.
  }
}

export function forget(slug: string): void {
  try {
    localStorage.removeItem(storageKey(slug))
  } catch {
    // There was nothing to forget then.
  }
}

function storedHistory(slug: string): string {
  try {
    const text = localStorage.getItem(storageKey(slug)) ?? '[]'
    JSON.parse(text)
    return text
  } catch {
    return '[]'
  }
}
