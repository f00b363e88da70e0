import { buffer } from 'node:stream/consumers'
import { ObjectStorage, type ObjectStorageAddress, type StorageFailure } from '#outbound/object-storage'
import { BackupRefusedError } from '../backup-refused'
import type { BackupTarget, TargetObject } from './target'

/** Keeps objects in a bucket of S3 or of what speaks its protocol. An object is never larger than a few megabytes. */
export class S3Target implements BackupTarget {
  private readonly storage: ObjectStorage

  constructor(
    readonly address: string,
    storage: ObjectStorageAddress,
  ) {
    this.storage = new ObjectStorage({ address: storage })
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    const outcome = await this.storage.put(name, content)
    if (!outcome.ok) throw this.refusal(outcome)
  }

  async get(name: string): Promise<Buffer | undefined> {
    const outcome = await this.storage.get(name)
    if (outcome.ok) return await buffer(outcome.body)
    if (outcome.reason === 'not-found') return undefined
    throw this.refusal(outcome)
  }

  async list(prefix: string): Promise<TargetObject[]> {
    const outcome = await this.storage.list(prefix)
    if (!outcome.ok) throw this.refusal(outcome)
    return outcome.objects.map(({ key, bytes, modifiedAt }) => ({ name: key, bytes, modifiedAt }))
  }

  async remove(name: string): Promise<void> {
    const outcome = await this.storage.delete(name)
    if (!outcome.ok) throw this.refusal(outcome)
  }

  private refusal({ message }: StorageFailure): BackupRefusedError {
    return new BackupRefusedError(`${this.address} cannot be used: ${message}`)
  }
}
