import type { OpenedModule } from '#jobs/jobs'
import { Audit } from './audit'
import { Invitations } from './invitations'
import { Keys } from './keys'
import { Members } from './members'
import { Projects } from './projects'

type ProjectServicesDependencies = Parameters<typeof Projects.open>[0]

/** Projects, and their members, keys and audit log. */
export class ProjectServices extends Projects {
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit

  constructor(dependencies: ProjectServicesDependencies) {
    super(dependencies)
    const { store, world } = dependencies
    this.members = new Members({ store, world })
    this.invitations = new Invitations({ store, world })
    this.keys = new Keys({ store, world })
    this.audit = new Audit({ store, world })
  }
}

export async function openProjects(
  dependencies: ProjectServicesDependencies,
): Promise<OpenedModule<ProjectServices>> {
  const projects = await ProjectServices.open(dependencies)
  return {
    services: projects,
    jobs: [],
    staleMs: () => ({ projects: projects.staleMs }),
    caughtUp: () => projects.caughtUp(),
    close: () => projects.close(),
  }
}
