import { draftIn, type PostDraft } from './draft'

/** What was written and not saved, as this browser keeps it. */
export interface KeptDraft {
  /** Of the post it was made from. */
  version: number
  at: Date
  draft: PostDraft
}

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nameOf = (project: string, id: string) => `tilth post ${project} ${id}`

/** Unsaved drafts on a shelf of this browser. One that is full or forbidden keeps nothing, and says so. */
export class KeptDrafts {
  private readonly name: string

  constructor(
    project: string,
    id: string,
    private readonly shelf: () => Shelf,
  ) {
    this.name = nameOf(project, id)
  }

  keep({ version, at, draft }: KeptDraft): boolean {
    try {
      this.shelf().setItem(this.name, JSON.stringify({ version, at, draft }))
      return true
    } catch {
      return false
    }
  }

  /** `sample` says what a draft is made of. */
  find(sample: PostDraft): KeptDraft | undefined {
    try {
      return readKept(JSON.parse(this.shelf().getItem(this.name) ?? 'null'), sample)
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

function readKept(kept: unknown, sample: PostDraft): KeptDraft | undefined {
  if (typeof kept !== 'object' || kept === null || !('draft' in kept)) return undefined
  const draft = draftIn(kept.draft, sample)
  const version = 'version' in kept ? Number(kept.version) : Number.NaN
  const at = new Date('at' in kept ? String(kept.at) : '')
  return draft && Number.isInteger(version) && !Number.isNaN(at.getTime())
    ? { version, at, draft }
    : undefined
}
