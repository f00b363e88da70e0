import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { openProject, whyNot } from '#studio/parts/open-project'
import { getCollection } from '#studio/product'
import { ArchivedNotice } from '#studio/shell/ArchivedNotice'
import { CollectionNotice } from '#studio/shell/CollectionNotice'

interface ProjectLayoutProps {
  params: Promise<{ project: string }>
  children: ReactNode
}

export async function generateMetadata({ params }: Omit<ProjectLayoutProps, 'children'>): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: { template: `%s · ${project.name} · Tilth`, default: `${project.name} · Tilth` } }
}

export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const { project, role } = await openProject((await params).project)

  return (
    <>
      {project.archivedAt && <ArchivedNotice slug={project.slug} whyNot={whyNot('project:archive', role)} />}
      <CollectionNotice state={getCollection()} />
      {children}
    </>
  )
}
