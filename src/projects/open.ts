import type { OpenedModule } from '#jobs/jobs'
import { Audit } from './audit'
import { Invitations } from './invitations'
import { Keys } from './keys'
import { Members } from './members'
import { Projects } from './projects'

/** Projects, and their members, keys and audit log. */
export interface ProjectServices extends Projects {
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit
}

export async function openProjects(
  dependencies: Parameters<typeof Projects.open>[0],
): Promise<OpenedModule<ProjectServices>> {
  const projects = await Projects.open(dependencies)
  return {
    services: Object.assign(projects, {
      members: new Members(dependencies),
      invitations: new Invitations(dependencies),
      keys: new Keys(dependencies),
      audit: new Audit(dependencies),
    }),
    jobs: [],
    staleMs: () => ({ projects: projects.staleMs }),
    close: () => projects.close(),
  }
}
