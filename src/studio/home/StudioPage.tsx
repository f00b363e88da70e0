import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { lastProject } from '#studio/shell/last-project'
import type { MemberViewer } from '#projects/access'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { AccessPage } from '#studio/sign-in/AccessPage'
import { SignOutButton } from '#studio/shell/SignOutButton'

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

/** Shown to a member without a project: not invited yet, or left. */
function NoProject({ viewer }: { viewer: MemberViewer }) {
  return (
    <AccessPage>
      <EmptyMessage
        title="No projects yet"
        body={`You are signed in as ${viewer.email}. Ask a project owner for an invitation link.`}
        action={
          <>
            <LinkButton href={paths.account}>Your account</LinkButton>
            <SignOutButton />
          </>
        }
      />
    </AccessPage>
  )
}
