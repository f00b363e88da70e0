import type { World } from '../world/world'

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const nil = '00000000-0000-0000-0000-000000000000'

/** Any version, but the nil one: careless clients send that for "none", and it would make one event of all of theirs. */
export const isUuid = (text: string): boolean => shape.test(text) && text !== nil

/** When a version 7 uuid says it was made, in milliseconds; undefined for every other text. */
export function timeOfUuid(text: string): number | undefined {
  if (!shape.test(text) || text.charAt(14) !== '7') return undefined
  return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16)
}

/** A version 7 uuid: sorted by its time, told from others of the same millisecond by chance. */
export function newUuid(world: World, at: number = world.now().getTime()): string {
  const time = Math.max(0, Math.trunc(at)).toString(16).padStart(12, '0')
  const chance = Buffer.from(world.random(10))
  chance.writeUInt8(0x70 | (chance.readUInt8(0) & 0x0f), 0)
  chance.writeUInt8(0x80 | (chance.readUInt8(2) & 0x3f), 2)
  const hex = chance.toString('hex')
  const text = `${time.slice(0, 8)}-${time.slice(8)}-${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`
  // in one piece: as the pieces it is put together of, it would take three times the memory of whoever keeps many
  return Buffer.from(text, 'latin1').toString('latin1')
}
