import type { Metadata } from 'next'
import type { MemberViewer } from '#projects/access'
import { isAuditAction } from '#projects/audit-actions'
import { CursorPagination } from '#ui/table/Pagination'
import { type AuditFilter, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { AuditFilters } from './AuditFilters'
import { AuditTable } from './AuditTable'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Audit log' }

interface AuditPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const size = 50

export async function AuditPage({ params, searchParams }: AuditPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const filter = filterIn(await searchParams)
  // one entry more than is shown reveals whether there is a next page
  const log = await tryRead(() =>
    getProduct().projects.audit.list(project.id, { ...filter, size: size + 1 }, viewer),
  )
  if (!log.allowed) return <NotAllowed why={log.why} />

  const entries = log.found.slice(0, size)
  const next = log.found.length > size ? entries.at(-1)?.sequence : undefined
  return (
    <>
      <AuditFilters slug={project.slug} filter={filter} people={await people(project.id, viewer)} />
      <AuditTable
        entries={entries}
        clock={clockOf(project)}
        isNarrowed={filter.action !== undefined || filter.actor !== undefined}
      />
      <CursorPagination
        label="Pages of the audit log"
        previousHref={filter.before ? paths.audit(project.slug, { ...filter, before: undefined }) : undefined}
        nextHref={next ? paths.audit(project.slug, { ...filter, before: next }) : undefined}
      >
        {filter.before ? 'Older entries' : 'Newest first'}
      </CursorPagination>
    </>
  )
}

/** Ignores invalid values in the address. */
function filterIn({ action, actor, before }: Awaited<AuditPageProps['searchParams']>) {
  const sequence = Number(before)
  return {
    action: isAuditAction(action) ? action : undefined,
    actor: typeof actor === 'string' && actor !== '' ? actor : undefined,
    before: Number.isSafeInteger(sequence) && sequence > 0 ? sequence : undefined,
  } satisfies AuditFilter
}

/** The possible actors: members, their assistants, keys, and operators at the server. */
async function people(projectId: number, viewer: MemberViewer) {
  const { projects, agentAccess } = getProduct()
  const { members, keys } = projects
  const keyList = await tryRead(() => keys.list(projectId, viewer))
  const memberships = await members.list(projectId, viewer)
  const names = new Map(memberships.map(({ member: { id, name } }) => [id, name]))
  return [
    ...memberships.map(({ member: { id, name, email } }) => ({ value: id, label: name, hint: email })),
    ...(await agentAccess.list(projectId, viewer)).map(({ id, memberId, clientName }) => ({
      value: id,
      label: `${names.get(memberId) ?? 'A former member'}, through ${clientName}`,
      hint: 'Assistant',
    })),
    ...(keyList.allowed ? keyList.found : []).map(({ id, name }) => ({
      value: id,
      label: name,
      hint: 'Secret key',
    })),
    { value: 'operator', label: 'Operator', hint: 'Command line' },
  ]
}
