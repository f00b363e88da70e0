import type { Theme } from '../../theme'

/** A project, as far as the shell needs to know it. */
export interface ShellProject {
  slug: string
  name: string
  isArchived: boolean
}

/** The data of the frame around every page. */
export interface ShellFacts {
  member: { name: string; email: string }
  projects: readonly ShellProject[]
  /** The project that pages without a project link back to. */
  lastProject: string | undefined
  mayCreate: boolean
  theme: Theme
}
