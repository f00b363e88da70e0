import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '#world/world'

/** The key file in the data folder. It is not in the store, so a copy of the store alone reveals no secret. */
export const sealFile = 'flags.key'

const form = 'aes-256-gcm'
/** The form of a sealed text: a marker, the id of the key, and nonce, tag and ciphertext in base64url. */
const shape = /^"sealed1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22})\.([\w-]*)"$/

/** A sealed text is JSON like the value it replaces, so that readers of values can parse it. */
export const isSealed = (text: string): boolean => shape.test(text)

/** Encrypts secrets for storage, with a key that exists only in the data folder. */
export class Seal {
  private known: Buffer | undefined

  constructor(private readonly dependencies: { folder: string; world: World }) {}

  /** `about` is authenticated, not secret: a text sealed for one purpose does not open for another. */
  close(text: string, about: string): string {
    const key = this.key()
    const nonce = this.dependencies.world.random(12)
    const cipher = createCipheriv(form, key, nonce).setAAD(Buffer.from(about))
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const parts = [Buffer.from(nonce), cipher.getAuthTag(), hidden].map((part) => part.toString('base64url'))
    return `"${['sealed1', nameOf(key), ...parts].join('.')}"`
  }

  /** Returns undefined if it was sealed with another key, for another purpose, or changed. */
  open(sealed: string, about: string): string | undefined {
    const [, by, nonce = '', tag = '', hidden = ''] = shape.exec(sealed) ?? []
    if (by === undefined || by !== nameOf(this.key())) return undefined
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    try {
      const decipher = createDecipheriv(form, this.key(), bytes(nonce)).setAAD(Buffer.from(about))
      decipher.setAuthTag(bytes(tag))
      return Buffer.concat([decipher.update(bytes(hidden)), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  /** Computes a digest that cannot be computed, and so not guessed, without the key. */
  digest(text: string): string {
    return createHmac('sha256', this.key()).update(`digest ${text}`).digest('base64url')
  }

  /** Identifies the key for comparison with that of other fronts. Undefined while there is no key file. */
  fingerprint(): string | undefined {
    const text = this.read()
    return text === undefined ? undefined : hash('sha256', `fingerprint ${text}`, 'base64url')
  }

  /** Returns the fingerprint of the key, which is made if there is none. */
  makeFingerprint(): string {
    this.key()
    return this.fingerprint() ?? ''
  }

  private key(): Buffer {
    this.known ??= Buffer.from(this.read() ?? this.make(), 'base64url')
    return this.known
  }

  private read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8').trim()
    } catch (problem) {
      if (problem instanceof Error && 'code' in problem && problem.code === 'ENOENT') return undefined
      throw problem
    }
  }

  /** Creates the key. If several processes do so at once, one wins and all read its file. */
  private make(): string {
    const { folder, world } = this.dependencies
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const draft = `${this.path}.${process.pid}`
    writeFileSync(draft, Buffer.from(world.random(32)).toString('base64url'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, this.path)
    } catch (problem) {
      if (!(problem instanceof Error && 'code' in problem && problem.code === 'EEXIST')) throw problem
    } finally {
      rmSync(draft, { force: true })
    }
    return readFileSync(this.path, 'utf8').trim()
  }

  get path(): string {
    return join(this.dependencies.folder, sealFile)
  }
}

/** Identifies a key without revealing any of it. */
const nameOf = (key: Buffer): string => hash('sha256', key, 'base64url').slice(0, 8)
