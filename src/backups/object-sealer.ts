import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as zlib from 'node:zlib'
import { BackupRefusedError } from './backup-refused'

/**
 * The layout of an object in a repository: magic (8), flags (1), length of the payload (u32, big-endian), then either
 * payload and SHA-256, or, with a key, nonce (12), AES-256-GCM of the payload and tag (16). The sum and the tag cover
 * the header and the object's name too, so an object that takes the place of another one is noticed.
 */
const magic = Buffer.from('TLTHBKP1')
const headerBytes = magic.length + 5
const nonceBytes = 12
const tagBytes = 16
const sumBytes = 32
const keyBytes = 32

const packings = { none: 0, gzip: 1, zstd: 2 } as const
const packingBits = 0x0f
const sealedBit = 0x80

/** Already compressed content is kept as it is unless packing saves at least this share. */
const leastSaving = 0.03

/** Larger than any object of ours unpacks to. */
const mostUnpackedBytes = 1024 ** 3

interface DerivedKeys {
  names: Buffer
  content: Buffer
  check: Buffer
}

/** Names, packs and seals objects, and opens them again. */
export class ObjectSealer {
  private readonly keys: DerivedKeys | undefined

  /** Without a key, names are plain hashes and contents are only protected against damage. */
  constructor(key?: Buffer, repositoryId = '') {
    this.keys = key && {
      names: derive(key, repositoryId, 'names'),
      content: derive(key, repositoryId, 'content'),
      check: derive(key, repositoryId, 'check'),
    }
  }

  /** Tells the right key from a wrong one, and says nothing else of it. */
  get check(): string | undefined {
    return this.keys?.check.toString('hex')
  }

  /** The same content has the same name. With a key, the name tells a stranger nothing of the content. */
  nameOf(content: Uint8Array): string {
    const hash = this.keys ? createHmac('sha256', this.keys.names) : createHash('sha256')
    return hash.update(content).digest('hex')
  }

  seal(name: string, content: Uint8Array): Buffer {
    const { packing, payload } = pack(content)
    const header = headerOf(packings[packing] | (this.keys ? sealedBit : 0), payload.length)
    if (!this.keys) return Buffer.concat([header, payload, sumOf(name, header, payload)])
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', keyFor(name, this.keys), nonce)
    cipher.setAAD(Buffer.concat([header, Buffer.from(name)]))
    return Buffer.concat([header, nonce, cipher.update(payload), cipher.final(), cipher.getAuthTag()])
  }

  /** Throws a `BackupRefusedError` that says what is wrong with the object. */
  open(name: string, sealed: Buffer): Buffer {
    const { flags, length } = readHeader(name, sealed, this.keys !== undefined)
    const header = sealed.subarray(0, headerBytes)
    const payload = this.keys
      ? this.decrypt(name, header, sealed, this.keys)
      : verifyPayload(name, header, sealed, length)
    return unpack(name, flags & packingBits, payload)
  }

  private decrypt(name: string, header: Buffer, sealed: Buffer, keys: DerivedKeys): Buffer {
    const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes)
    const decipher = createDecipheriv('aes-256-gcm', keyFor(name, keys), nonce)
    decipher.setAAD(Buffer.concat([header, Buffer.from(name)]))
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    try {
      return Buffer.concat([
        decipher.update(sealed.subarray(headerBytes + nonceBytes, -tagBytes)),
        decipher.final(),
      ])
    } catch {
      throw damagedError(name)
    }
  }
}

/** A key is 32 random bytes: as they are, or written as 64 hexadecimal digits or in base64. */
export function readKeyFile(path: string): Buffer {
  const content = readKeyBytes(path)
  if (content.length === keyBytes) return content
  const text = content.toString('latin1').trim()
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  if (key.length === keyBytes) return key
  throw new BackupRefusedError(
    `${path} is no backup key. It must hold 32 random bytes; make one with: openssl rand -hex 32 > ${path}`,
  )
}

function readKeyBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem)
    throw new BackupRefusedError(`The backup key cannot be read (${why}). Correct TILTH_BACKUP_KEY_FILE.`)
  }
}

const derive = (key: Buffer, repositoryId: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, repositoryId, `tilth backup ${purpose}`, keyBytes))

/** A key of its own for every object, so that a random nonce never meets the same key twice. */
const keyFor = (name: string, { content }: DerivedKeys): Buffer =>
  createHmac('sha256', content).update(name).digest()

const sumOf = (name: string, header: Buffer, payload: Buffer): Buffer =>
  createHash('sha256').update(header).update(`${name}\0`).update(payload).digest()

function headerOf(flags: number, payloadBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.writeUInt8(flags, magic.length)
  header.writeUInt32BE(payloadBytes, magic.length + 1)
  return header
}

function readHeader(name: string, sealed: Buffer, hasKey: boolean): { flags: number; length: number } {
  if (sealed.length < headerBytes) throw cutShortError(name, sealed.length)
  if (!sealed.subarray(0, magic.length).equals(magic)) throw damagedError(name)
  const flags = sealed.readUInt8(magic.length)
  const length = sealed.readUInt32BE(magic.length + 1)
  const isSealed = (flags & sealedBit) !== 0
  if (isSealed !== hasKey) throw damagedError(name)
  const whole = headerBytes + length + (isSealed ? nonceBytes + tagBytes : sumBytes)
  if (sealed.length < whole) throw cutShortError(name, sealed.length, whole)
  if (sealed.length > whole) throw damagedError(name)
  return { flags, length }
}

function verifyPayload(name: string, header: Buffer, sealed: Buffer, length: number): Buffer {
  const payload = sealed.subarray(headerBytes, headerBytes + length)
  if (!sumOf(name, header, payload).equals(sealed.subarray(headerBytes + length))) throw damagedError(name)
  return payload
}

function pack(content: Uint8Array): { packing: keyof typeof packings; payload: Buffer } {
  const whole = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  // Node before 22.15 has no zstd
  const packing = 'zstdCompressSync' in zlib ? 'zstd' : 'gzip'
  const packed = packing === 'zstd' ? zlib.zstdCompressSync(whole) : zlib.gzipSync(whole)
  return packed.length < whole.length * (1 - leastSaving)
    ? { packing, payload: packed }
    : { packing: 'none', payload: whole }
}

function unpack(name: string, packing: number, payload: Buffer): Buffer {
  const limit = { maxOutputLength: mostUnpackedBytes }
  if (packing === packings.none) return payload
  if (packing === packings.gzip) return zlib.gunzipSync(payload, limit)
  if (packing === packings.zstd && 'zstdDecompressSync' in zlib)
    return zlib.zstdDecompressSync(payload, limit)
  throw new BackupRefusedError(
    `${name} is packed in a way that this Node cannot read. Run the command with Node 24.`,
  )
}

const damagedError = (name: string): BackupRefusedError =>
  new BackupRefusedError(
    `${name} is damaged: its bytes are not the ones that were written. Take another snapshot, or restore this object ` +
      'from a copy of the repository.',
  )

const cutShortError = (name: string, bytes: number, whole?: number): BackupRefusedError =>
  new BackupRefusedError(
    `${name} is cut short: it has ${bytes} bytes${whole === undefined ? '' : ` of ${whole}`}. Take another snapshot, or ` +
      'restore this object from a copy of the repository.',
  )
