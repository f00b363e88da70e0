import { isAbsolute, resolve } from 'node:path'
import {
  type ObjectStorageAddress,
  type ObjectStorageService,
  parseBucketUrl,
  parseObjectStorageAddress,
} from '#outbound/object-storage-format'
import { FolderTarget } from './internal/folder-target'
import { BackupRefusedError } from './backup-refused'
import { S3Target } from './internal/s3-target'
import type { BackupTarget } from './internal/target'

/** "s3://bucket/prefix" as it is, or the absolute path of a folder. Undefined for anything else. */
export function parseTargetAddress(text: string): string | undefined {
  if (text.startsWith('s3://')) return parseBucketUrl(text) && text
  return text.includes('\0') || /^[a-z]+:\/\//.test(text) ? undefined : resolve(text)
}

/** Opens a target. `service` says how buckets are reached; absent where it is not set. */
export function openTarget(address: string, service: ObjectStorageService | undefined): BackupTarget {
  if (isAbsolute(address)) return new FolderTarget(address)
  return new S3Target(address, bucketAt(address, service))
}

function bucketAt(target: string, service: ObjectStorageService | undefined): ObjectStorageAddress {
  const address = service && parseObjectStorageAddress(target, service)
  if (address) return address
  throw new BackupRefusedError(
    `To use ${target}, set TILTH_S3_KEY and TILTH_S3_SECRET; see docs/settings.md.`,
  )
}
