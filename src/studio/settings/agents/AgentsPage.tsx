import type { Metadata } from 'next'
import { may } from '#projects/access'
import { networkText } from '#projects/origin'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { clockOf } from '#studio/parts/RelativeTime'
import { Panel } from '#ui/page/Panel'
import { AgentsSwitch } from './AgentsSwitch'
import { AgentsTable } from './AgentsTable'

export const metadata: Metadata = { title: 'Agents' }

/** The assistants that act for members of the project. */
export async function AgentsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { agentAccess, projects } = getProduct()
  const [connections, memberships, mayConnect] = await Promise.all([
    agentAccess.list(project.id, viewer),
    projects.members.list(project.id, viewer),
    agentAccess.mayConnect(project.id),
  ])
  const names = new Map(memberships.map(({ member: { id, name } }) => [id, name]))

  return (
    <>
      <Panel title="Access">
        <AgentsSwitch slug={project.slug} mayConnect={mayConnect} whyNot={whyNot('project:write', role)} />
      </Panel>
      <AgentsTable
        slug={project.slug}
        clock={clockOf(project)}
        seesAudit={may('audit:read', project.id, viewer)}
        agents={connections.map(({ id, clientName, clientId, memberId, level, usedAt, network }) => ({
          id,
          name: clientName,
          describedAt: URL.canParse(clientId) ? clientId : undefined,
          member: names.get(memberId) ?? 'A former member',
          level,
          usedAt,
          network: networkText(network),
          whyNot: memberId === viewer.memberId ? undefined : whyNot('members:write', role),
        }))}
      />
    </>
  )
}
