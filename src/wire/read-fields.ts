import type { Json, Properties } from '#events/event'
import { isProperties } from './decode-body'

/** Reads a field by any of its names; undefined unless it is a text that is not empty. */
export function textField(fields: Properties, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return undefined
}

export function numberField(fields: Properties, name: string): number | undefined {
  const value = fields[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Reads an object; returns an empty one if there is none. */
export const propertiesField = (fields: Properties, name: string): Properties => {
  const value = fields[name]
  return isProperties(value) ? value : {}
}

/** Removes undefined properties: an absent property is not one that is null. */
export function withoutUndefined(properties: Record<string, Json | undefined>): Properties {
  const entries = Object.entries(properties).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries)
}

/** Converts milliseconds to a date if they represent one. */
export function dateOfMs(ms: number | undefined): Date | undefined {
  const date = new Date(ms ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
