import { Audit } from './audit'
import { Invitations } from './invitations'
import { Keys } from './keys'
import { Members } from './members'
import { Projects } from './projects'

/** Projects, and their members, keys and audit log. */
export interface ProjectParts {
  projects: Projects
  members: Members
  invitations: Invitations
  keys: Keys
  audit: Audit
}

export const openProjects = async (
  dependencies: Parameters<typeof Projects.open>[0],
): Promise<ProjectParts> => ({
  projects: await Projects.open(dependencies),
  members: new Members(dependencies),
  invitations: new Invitations(dependencies),
  keys: new Keys(dependencies),
  audit: new Audit(dependencies),
})
