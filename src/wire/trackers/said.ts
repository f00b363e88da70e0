import type { Json, Properties } from '../../events/event'
import { isProperties } from '../unpack'

/** What a sender said, under any of the names it may say it by: a text with something in it, or undefined. */
export function textIn(said: Properties, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = said[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return undefined
}

export function numberIn(said: Properties, name: string): number | undefined {
  const value = said[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** An object, or an empty one where there is none. */
export const propertiesIn = (said: Properties, name: string): Properties => {
  const value = said[name]
  return isProperties(value) ? value : {}
}

/** Only what was said: an absent property is not one that is null. */
export function known(properties: Record<string, Json | undefined>): Properties {
  const entries = Object.entries(properties).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries)
}

/** The time a number of milliseconds stands for, where it stands for one. */
export function timeOfMs(ms: number | undefined): Date | undefined {
  const date = new Date(ms ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
