/** An object that a target holds. */
export interface TargetObject {
  name: string
  bytes: number
  modifiedAt: Date
}

/** A place that keeps objects by name: a folder, or a bucket with an S3-compatible address. */
export interface BackupTarget {
  /** The address as a person wrote it, for messages. It holds no secret. */
  readonly address: string
  /** Replaces an object of the same name. A crash leaves the whole old object or the whole new one. */
  put(name: string, content: Uint8Array): Promise<void>
  /** Returns undefined where there is no object of this name. */
  get(name: string): Promise<Buffer | undefined>
  /** Lists every object whose name begins with the prefix, in no order. */
  list(prefix: string): Promise<TargetObject[]>
  /** Does nothing where there is no object of this name. */
  remove(name: string): Promise<void>
}
