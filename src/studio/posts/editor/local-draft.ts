import { draftIn, type PostDraft } from './draft'

/** The unsaved text of a post, as this browser keeps it. */
export interface LocalDraft {
  /** The version of the post that the draft is based on. */
  version: number
  at: Date
  draft: PostDraft
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = (project: string, id: string) => `tilth post ${project} ${id}`

/** Unsaved drafts on a shelf of this browser. One that is full or forbidden keeps nothing, and says so. */
export class LocalDrafts {
  private readonly name: string

  constructor(
    project: string,
    id: string,
    private readonly shelf: () => DraftStorage,
  ) {
    this.name = nameOf(project, id)
  }

  save({ version, at, draft }: LocalDraft): boolean {
    try {
      this.shelf().setItem(this.name, JSON.stringify({ version, at, draft }))
      return true
    } catch {
      return false
    }
  }

  /** `sample` says what a draft is made of. */
  find(sample: PostDraft): LocalDraft | undefined {
    try {
      return parseLocalDraft(JSON.parse(this.shelf().getItem(this.name) ?? 'null'), sample)
    } catch {
      return undefined
    }
  }

  forget(): void {
    try {
      this.shelf().removeItem(this.name)
    } catch {
      // a shelf that is forbidden holds nothing
    }
  }
}

function parseLocalDraft(stored: unknown, sample: PostDraft): LocalDraft | undefined {
  if (typeof stored !== 'object' || stored === null || !('draft' in stored)) return undefined
  const draft = draftIn(stored.draft, sample)
  const version = 'version' in stored ? Number(stored.version) : Number.NaN
  const at = new Date('at' in stored ? String(stored.at) : '')
  return draft && Number.isInteger(version) && !Number.isNaN(at.getTime())
    ? { version, at, draft }
    : undefined
}
