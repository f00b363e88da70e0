import { buffer } from 'node:stream/consumers'
import { PicturesUnavailableError, type SharedPictures } from '../shared-pictures'
import { imageType } from '../images'
import { ObjectStorage, type ObjectStorageSettings } from '#outbound/object-storage'

/** Shorter than the timeout of a backup, because a member waits for the upload. */
const silentMs = 5_000

/** Stores pictures in an S3-compatible bucket: TILTH_UPLOADS. */
export function bucketPictures(settings: ObjectStorageSettings): SharedPictures {
  const storage = new ObjectStorage({ silentMs, ...settings })
  return {
    async has(file) {
      const found = await storage.head(file)
      if (found.ok) return true
      if (found.reason === 'not-found') return false
      throw new PicturesUnavailableError(found.message)
    },
    async save(file, bytes) {
      const written = await storage.put(file, bytes, { contentType: imageType(file) })
      if (!written.ok) throw new PicturesUnavailableError(written.message)
    },
    async load(file) {
      const found = await storage.get(file)
      if (found.ok) return await buffer(found.body)
      if (found.reason === 'not-found') return undefined
      throw new PicturesUnavailableError(found.message)
    },
    async remove(file) {
      const removed = await storage.delete(file)
      if (!removed.ok) throw new PicturesUnavailableError(removed.message)
    },
  }
}
