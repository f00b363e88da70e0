import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ConsentRequest } from '#agent-access/consent'
import { agentLevels, rightsToGrant } from '#agent-access/levels'
import { may, type MemberViewer } from '#projects/access'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Notice } from '#ui/page/Notice'
import { installationAddress } from '#studio/connect/address'
import { getProduct } from '#studio/product'
import type { SearchParams } from '#studio/search-params'
import { requireViewer } from '#studio/viewer'
import { AccessCard } from './AccessPage'
import { type ConsentProject, ConsentForm } from './ConsentForm'

export const metadata: Metadata = { title: 'Let an assistant in' }

/** Asks a member whether an assistant may act for them: where, and how far. */
export async function ConsentPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const viewer = await requireViewer()
  const parameters = await searchParams
  const { consent } = getProduct().agentAccess
  const request = await consent.read(parameters, new URL(await installationAddress()).origin)
  if (!request.isFit && request.location !== undefined) redirect(request.location)
  if (!request.isFit)
    return (
      <AccessCard title="This assistant cannot be let in">
        <Notice tone="danger" title="The request is not in order">
          {request.why}
        </Notice>
      </AccessCard>
    )

  const projects = await projectsOf(viewer)
  return (
    <AccessCard
      title={`Let ${request.client.name} in?`}
      description="It acts for you in one project, and never does more than you may."
    >
      <RequestSource request={request} viewer={viewer} />
      {projects.length === 0 ? (
        <EmptyMessage title="No project" body="You belong to no project that an assistant may act in." />
      ) : (
        <ConsentForm parameters={parameters} client={request.client.name} projects={projects} />
      )}
    </AccessCard>
  )
}

/** The name is the program’s own word; the addresses are what it cannot choose. */
function RequestSource({
  request: { client, redirectUri },
  viewer: { name, email },
}: {
  request: ConsentRequest
  viewer: MemberViewer
}) {
  const { protocol, host } = new URL(redirectUri)
  const rows = [
    ...(URL.canParse(client.id) ? [['Described at', client.id]] : []),
    ['Returns to', protocol === 'http:' ? `${host}, a program on this computer` : host],
    ['Acts for', `${name}, ${email}`],
  ]
  return (
    <dl className="mb-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="font-medium break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

async function projectsOf(viewer: MemberViewer): Promise<ConsentProject[]> {
  const { projects, agentAccess } = getProduct()
  const open = projects.list(viewer).filter(({ archivedAt }) => !archivedAt)
  return await Promise.all(
    open.map(async ({ id, name }) => ({
      id,
      name,
      mayConnect: await agentAccess.mayConnect(id),
      levels: agentLevels.filter((level) => rightsToGrant[level].every((right) => may(right, id, viewer))),
    })),
  )
}
