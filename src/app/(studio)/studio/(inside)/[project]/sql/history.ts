import type { Draft } from './question'
import { draftFrom, draftText } from './question'

const mostKept = 20

const placeOf = (slug: string): string => `tilth.sql.${slug}`

/** What was run in this browser of late, the latest first. */
export function remembered(slug: string): Draft[] {
  const said: unknown = JSON.parse(kept(slug))
  if (!Array.isArray(said)) return []
  return said.flatMap((text) => (typeof text === 'string' ? (draftFrom(text) ?? []) : []))
}

export function remember(slug: string, draft: Draft): void {
  const others = remembered(slug).filter(({ text }) => text.trim() !== draft.text.trim())
  const texts = [draft, ...others].slice(0, mostKept).map(draftText)
  try {
    localStorage.setItem(placeOf(slug), JSON.stringify(texts))
  } catch {
    // A browser that keeps nothing still runs everything.
  }
}

export function forget(slug: string): void {
  try {
    localStorage.removeItem(placeOf(slug))
  } catch {
    // There was nothing to forget then.
  }
}

function kept(slug: string): string {
  try {
    const text = localStorage.getItem(placeOf(slug)) ?? '[]'
    JSON.parse(text)
    return text
  } catch {
    return '[]'
  }
}
