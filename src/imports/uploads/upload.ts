import type { ImportFile } from '../import-files'
import type { ImportPreview } from '../import-preview'

/**
 * The state of uploaded files. `receiving`: they are being sent. `previewing` and `importing`: the front reads them, or
 * will. `interrupted`: an import of them broke off, for the reason in `problem`.
 */
type UploadState = 'receiving' | 'previewing' | 'previewed' | 'importing' | 'interrupted'

/** Files that a member sent to be imported. They are deleted once they are imported. */
export interface ImportUpload {
  id: string
  projectId: number
  /** The product they come from, such as `posthog`. */
  source: string
  files: readonly ImportFile[]
  fingerprint: string
  state: UploadState
  /** Events at this instant or later are left out. */
  until: Date | undefined
  /** Rows that the preview has read so far. */
  rows: number
  preview: UploadPreview | undefined
  problem: string | undefined
  /** The import that reads them. */
  importId: string | undefined
  createdBy: string
  createdAt: Date
  changedAt: Date
}

export type UploadPreview = Omit<ImportPreview, 'first' | 'sample'> & {
  /** The number of events that were looked up, and of those that are stored already. */
  there: { lookedUp: number; found: number } | undefined
}
