import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { lastProject } from '#studio/shell/last-project'
import { NoProject } from './NoProject'

/** Redirects to set-up while this Tilth has no owner, else to the member's last project. */
export async function StudioPage() {
  const { projects } = getProduct()
  const { setup } = getProduct().signIn
  if (await setup.isNeeded()) redirect(paths.setup)
  const viewer = await requireViewer()
  const mine = projects.list(viewer)
  const last = (await cookies()).get(lastProject)?.value
  const project = mine.find(({ slug }) => slug === last) ?? mine[0]
  if (project) redirect(paths.project(project.slug))
  if (viewer.closedProjects) redirect(paths.security())

  return <NoProject viewer={viewer} />
}
