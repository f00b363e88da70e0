import type { TableSource } from '#store/store'
import { AccessRefusedError, type Viewer } from '../access'
import { isDemo } from '../demo-project'
import { allProjects } from '../store'

/** The installation is managed by members who own all of its projects, and from the command line. */
export async function ownsInstallation(source: TableSource, viewer: Viewer): Promise<boolean> {
  if (viewer.kind === 'operator') return true
  if (viewer.kind !== 'member') return false
  const live = (await allProjects(source)).filter((project) => !project.archivedAt && !isDemo(project))
  return live.length > 0 && live.every(({ id }) => viewer.roles.get(id) === 'owner')
}

export async function requireInstallationOwner(source: TableSource, viewer: Viewer): Promise<void> {
  if (await ownsInstallation(source, viewer)) return
  throw new AccessRefusedError('not-allowed', 'Only an owner of every project here may change this.')
}
