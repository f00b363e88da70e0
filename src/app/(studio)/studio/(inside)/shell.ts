import type { Theme } from '../../theme'

/** A project, as far as the shell needs to know it. */
export interface ShellProject {
  slug: string
  name: string
  isArchived: boolean
}

/** What stands around every page, whichever it is. */
export interface ShellFacts {
  member: { name: string; email: string }
  projects: readonly ShellProject[]
  /** Where pages that belong to no project lead back to. */
  lastProject: string | undefined
  mayCreate: boolean
  theme: Theme
}
