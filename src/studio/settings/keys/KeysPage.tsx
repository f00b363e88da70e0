import type { Metadata } from 'next'
import { may, scopes } from '#projects/access'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { KeysTable } from './KeysTable'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Keys' }

export async function KeysPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const keys = await tryRead(() => getProduct().projects.keys.list(project.id, viewer))
  if (!keys.allowed) return <NotAllowed why={keys.why} />

  return (
    <KeysTable
      slug={project.slug}
      clock={clockOf(project)}
      whyNot={whyNot('keys:write', role)}
      grantable={scopes.filter((scope) => may(scope, project.id, viewer))}
      keys={keys.found.map(({ projectId: _, scopes: held, ...key }) => ({
        ...key,
        scopes: held === 'every' ? 'every' : [...held],
      }))}
    />
  )
}
