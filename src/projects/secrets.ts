import { createHash, hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { World } from '#world/world'

const tokenLetters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uses letters and digits only, so that a double click selects all of it; about 5.95 bits a character. */
export function randomText(length: number, world: World): string {
  const text: string[] = []
  while (text.length < length) {
    // bytes above the last multiple of 62 would favour the first letters
    for (const byte of world.random(length))
      if (byte < 248 && text.length < length) text.push(tokenLetters.charAt(byte % 62))
  }
  return text.join('')
}

/** The stored form of a token. Tokens have 256 random bits, so a slow hash would add nothing. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')

/** 43 letters have 256 bits. */
export const newToken = (world: World): string => randomText(43, world)

export const newWriteKey = (world: World): string => `phc_${randomText(40, world)}`

/** Ends with a checksum, so that scanners for leaked keys recognise real ones. */
export function newSecretKey(world: World): string {
  const body = newToken(world)
  return `tilth_${body}${checksum(body)}`
}

export const checksum = (body: string): string => crc32(body).toString(36).padStart(7, '0')

const readableLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Twelve letters that are easy to read aloud: 58 bits, and guesses are throttled. */
export function newSetupCode(world: World): string {
  const code = Array.from(world.random(12), (byte) =>
    readableLetters.charAt(byte % readableLetters.length),
  ).join('')
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

/** Normalises a typed code: with or without dashes, in any case. */
export const normalizeSetupCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')

/** Twenty of 32 letters: 100 bits. Typed like a set-up code. */
export function newRecoveryCode(world: World): string {
  const code = Array.from(world.random(20), (byte) => recoveryLetters.charAt(byte % 32)).join('')
  return code.replace(/(.{5})(?=.)/g, '$1-')
}

const recoveryLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export const normalizeRecoveryCode = normalizeSetupCode

/** A version 4 UUID from the world's randomness, which tests control. */
export function newId(world: World): string {
  const bytes = Buffer.from(world.random(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** One link of the audit log's chain: a changed entry makes every later hash wrong. */
export const auditChainHash = (previous: string, entry: string): string =>
  createHash('sha256').update(previous).update('\n').update(entry).digest('hex')
