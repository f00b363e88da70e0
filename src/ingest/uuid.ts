import { createHash } from 'node:crypto'
import type { World } from '#world/world'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const nil = '00000000-0000-0000-0000-000000000000'

/**
 * Accepts any version except the nil uuid, which careless clients send for "none": it would merge all their events into
 * one.
 */
export const isUuid = (text: string): boolean => uuidPattern.test(text) && text !== nil

/** Returns the time in a version 7 uuid, in milliseconds; undefined for any other text. */
export function timeOfUuid(text: string): number | undefined {
  if (!uuidPattern.test(text) || text.charAt(14) !== '7') return undefined
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16)
}

/** Creates a version 7 uuid: sorted by time, with random bits for uniqueness within a millisecond. */
export function newUuid(world: World, at: number = world.now().getTime()): string {
  uuidBytes.writeUIntBE(Math.max(0, Math.trunc(at)), 0, 6)
  uuidBytes.set(world.random(10), 6)
  uuidBytes.writeUInt8(0x70 | (uuidBytes.readUInt8(6) & 0x0f), 6)
  uuidBytes.writeUInt8(0x80 | (uuidBytes.readUInt8(8) & 0x3f), 8)
  uuidBytes.forEach(writeByte)
  return uuidText.toString('latin1')
}

/** Reused for every uuid, because every event without an id gets one. */
const uuidBytes = Buffer.alloc(16)
const uuidText = Buffer.from('00000000-0000-0000-0000-000000000000')
const digits = Buffer.from('0123456789abcdef')
/** The positions of the two digits of each byte. */
const digitPositions = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

function writeByte(byte: number, i: number): void {
  const position = digitPositions[i] ?? 0
  uuidText[position] = digits[byte >> 4] ?? 0
  uuidText[position + 1] = digits[byte & 15] ?? 0
}

/** Derives a uuid from a text: the same text gives the same uuid. Version 8 is for uuids with a custom algorithm. */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
