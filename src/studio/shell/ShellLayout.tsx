import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { roleIn } from '#projects/access'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { chosenTheme } from './theme'
import { lastProject } from './last-project'
import { Shell } from './Shell'

export async function ShellLayout({ children }: { children: ReactNode }) {
  const viewer = await requireViewer()
  const { projects, proposals } = getProduct()
  const mine = projects.list(viewer)
  const open = await proposals.openCounts(
    mine.map(({ id }) => id),
    viewer,
  )
  const last = (await cookies()).get(lastProject)?.value

  return (
    <Shell
      member={{ id: viewer.memberId, name: viewer.name, email: viewer.email }}
      projects={mine.map(({ id, slug, name, archivedAt }) => ({
        slug,
        name,
        isArchived: Boolean(archivedAt),
        role: roleIn(id, viewer),
        openProposals: open.get(id) ?? 0,
      }))}
      lastProject={mine.find(({ slug }) => slug === last)?.slug ?? mine[0]?.slug}
      mayCreate={projects.mayCreate(viewer)}
      theme={await chosenTheme()}
    >
      {children}
    </Shell>
  )
}
