import type { Metadata } from 'next'
import { type ReactNode, Suspense } from 'react'
import { LazyFirstEventRefresh } from '#studio/connect/LazyPanels'
import { isStillWaiting } from '#studio/connect/still-waiting'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { getCollection } from '#studio/product'
import { actionsFor } from '#studio/numbers/number-actions'
import { LazyArchivedNotice, LazyNumberMenu } from './LazyParts'
import { type CollectionState, describeTrouble } from '#ingest/collection-state'
import { Notice } from '#ui/page/Notice'

interface ProjectLayoutProps {
  params: Promise<{ project: string }>
  children: ReactNode
}

export async function generateMetadata({ params }: Omit<ProjectLayoutProps, 'children'>): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: { template: `%s · ${project.name} · Tilth`, default: `${project.name} · Tilth` } }
}

export async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const opened = await openProject((await params).project)
  const { project, role } = opened

  return (
    <>
      {project.archivedAt && (
        <LazyArchivedNotice slug={project.slug} whyNot={whyNot('project:archive', role)} />
      )}
      <CollectionNotice state={getCollection()} />
      <Suspense fallback={null}>
        <FirstEvent opened={opened} />
      </Suspense>
      {children}
      <LazyNumberMenu actions={actionsFor(role)} />
    </>
  )
}

/** Lets any open page of a new project show its first event. */
async function FirstEvent({ opened }: { opened: Opened }) {
  return (await isStillWaiting(opened)) ? <LazyFirstEventRefresh slug={opened.project.slug} /> : null
}

/** Shown above every page of a project: what is missing from its figures, and what to do. */
function CollectionNotice({ state }: { state: CollectionState | undefined }) {
  const troubles = state?.troubles ?? []
  if (troubles.length === 0) return null
  return (
    <div className="flex flex-col gap-2 px-4 pt-4 sm:px-6 lg:px-8">
      {troubles.map((trouble) => {
        const { title, remedy, blocks } = describeTrouble(trouble)
        return (
          <Notice key={trouble.kind} tone={blocks ? 'danger' : toneOf(trouble.kind)} title={title}>
            {remedy}
          </Notice>
        )
      })}
    </div>
  )
}

const toneOf = (kind: string): 'info' | 'warning' => (kind === 'behind' ? 'info' : 'warning')
