/** A backup or a restore cannot go on; the message says what a person can do about it. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError'
}
