import type { Metadata } from 'next'
import { type ReactNode, Suspense } from 'react'
import { LazyFirstEventRefresh } from '#studio/connect/LazyFirstEventRefresh'
import { isStillWaiting } from '#studio/connect/still-waiting'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { getCollection } from '#studio/product'
import { ArchivedNotice } from './ArchivedNotice'
import { CollectionNotice } from './CollectionNotice'

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
      {project.archivedAt && <ArchivedNotice slug={project.slug} whyNot={whyNot('project:archive', role)} />}
      <CollectionNotice state={getCollection()} />
      <Suspense fallback={null}>
        <FirstEvent opened={opened} />
      </Suspense>
      {children}
    </>
  )
}

/** Lets any open page of a new project show its first event. */
async function FirstEvent({ opened }: { opened: Opened }) {
  return (await isStillWaiting(opened)) ? <LazyFirstEventRefresh slug={opened.project.slug} /> : null
}
