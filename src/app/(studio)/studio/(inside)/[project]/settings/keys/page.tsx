import type { Metadata } from 'next'
import { may, scopes } from '#projects/access'
import { getProduct } from '#app/product'
import { NotAllowed } from '#app/(studio)/NotAllowed'
import { openProject, whyNot } from '#app/(studio)/open-project'
import { tryRead } from '#app/(studio)/refusals'
import { KeysTable } from './KeysTable'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const keys = await tryRead(() => getProduct().keys.list(project.id, viewer))
  if (!keys.allowed) return <NotAllowed why={keys.why} />

  return (
    <KeysTable
      slug={project.slug}
      clock={{ now: new Date(), timeZone: project.timeZone }}
      whyNot={whyNot('keys:write', role)}
      grantable={scopes.filter((scope) => may(scope, project.id, viewer))}
      keys={keys.found.map(({ projectId: _, scopes: held, ...key }) => ({
        ...key,
        scopes: held === 'every' ? 'every' : [...held],
      }))}
    />
  )
}
