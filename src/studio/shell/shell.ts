import type { Role } from '#projects/access'
import type { Theme } from './theme'

/** A project, as far as the shell needs to know it. */
export interface ShellProject {
  slug: string
  name: string
  isArchived: boolean
  /** The role of the member in it. */
  role: Role | undefined
  /** The proposals of assistants that wait for a decision. */
  openProposals: number
}

/** The data of the frame around every page. */
export interface ShellFacts {
  member: { id: string; name: string; email: string }
  projects: readonly ShellProject[]
  /** The project that pages without a project link back to. */
  lastProject: string | undefined
  mayCreate: boolean
  theme: Theme
}
