import { jsonIn } from '#studio/people/list-filter'
import type { KindResult } from '../kind-result'

export const contact: KindResult<'contact'> = {
  draw: () => ({ shape: 'texts' }),
  storedInWords: contactInWords,
}

/** A contact as it is stored: its fields as JSON. */
export function contactInWords(stored: string): string {
  const fields: unknown = jsonIn(stored)
  if (typeof fields !== 'object' || fields === null) return stored
  return Object.values(fields).filter(Boolean).map(String).join(' · ')
}
