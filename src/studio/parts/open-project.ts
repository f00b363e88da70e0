import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { roleCovers, type MemberViewer, type Right, rights, type Role, roleIn } from '#projects/access'
import type { Project } from '#projects/project'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { refusalIn } from './refusals'

export interface Opened {
  project: Project
  viewer: MemberViewer
  role: Role
}

/**
 * Opens the project of an address for a signed-in member. Cached per request: layout and page both call it.
 *
 * @example
 * const { project, viewer, role } = await openProject((await params).project)
 */
export const openProject = cache(async (slug: string): Promise<Opened> => {
  const viewer = await requireViewer()
  const project = find(slug, viewer)
  const role = roleIn(project.id, viewer)
  if (!role) notFound()
  return { project, viewer, role }
})

function find(slug: string, viewer: MemberViewer): Project {
  try {
    return getProduct().projects.find(slug, viewer)
  } catch (problem) {
    const refusal = refusalIn(problem)
    if (refusal?.reason === 'second-factor') redirect(paths.security())
    if (refusal) notFound()
    throw problem
  }
}

/** Why a button is not for this role; undefined when it is. */
export const whyNot = (right: Right, role: Role): string | undefined =>
  roleCovers(role, right) ? undefined : `This requires the role ${rights[right].least}; yours is ${role}.`
