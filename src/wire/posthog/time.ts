import type { Json } from '#events/event'

const iso =
  /^([+-]?\d{4,6}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/** Smaller numbers are seconds (until the year 5138), greater ones are milliseconds (since 1973). */
const leastMilliseconds = 100_000_000_000

/** Parses a time in any format of the SDKs; without a zone it is UTC, wherever the server is. */
export function parseTime(input: Json | undefined): Date | undefined {
  if (typeof input === 'number') return timeOfNumber(input)
  if (typeof input !== 'string') return undefined
  const text = input.trim()
  if (/^\d{9,16}(?:\.\d+)?$/.test(text)) return timeOfNumber(Number(text))
  const parts = iso.exec(text)
  return parts ? timeOfParts(parts) : validDate(namesZone(text) ? Date.parse(text) : Number.NaN)
}

const timeOfNumber = (number: number): Date | undefined =>
  validDate(Math.abs(number) < leastMilliseconds ? number * 1000 : number)

/** Digits after the third exceed the precision of a date. */
function timeOfParts([
  ,
  day,
  minute = '00:00',
  second = ':00',
  fraction = '0',
  zone = 'Z',
]: readonly string[]) {
  return validDate(
    Date.parse(`${day}T${minute}${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offsetOf(zone)}`),
  )
}

/** Formats `+0530` and `+05` as `+05:30` and `+05:00`. */
function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return sign ? `${sign}${hours}:${minutes}` : 'Z'
}

/** The date format of mail and HTTP. */
const namesZone = (text: string): boolean => /\b(?:GMT|UTC|[+-]\d{4})$/i.test(text)

function validDate(ms: number): Date | undefined {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : date
}
