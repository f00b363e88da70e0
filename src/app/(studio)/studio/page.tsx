import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { paths } from '../../paths'
import { getProduct } from '../../product'
import { requireViewer } from '../../viewer'
import { lastProject } from './last-project'
import { NoProject } from './NoProject'

/** The way in: to set-up while nobody owns this Tilth, else to the project somebody was last in. */
export default async function StudioPage() {
  const { setup, projects } = getProduct()
  if (await setup.isNeeded()) redirect(paths.setup)
  const viewer = await requireViewer()
  const mine = projects.list(viewer)
  const last = (await cookies()).get(lastProject)?.value
  const project = mine.find(({ slug }) => slug === last) ?? mine[0]
  if (project) redirect(paths.project(project.slug))

  return <NoProject viewer={viewer} />
}
