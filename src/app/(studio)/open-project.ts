import { notFound } from 'next/navigation'
import { cache } from 'react'
import { covers, type MemberViewer, type Right, rights, type Role, roleIn } from '../../projects/access'
import type { Project } from '../../projects/project'
import { getProduct } from '../product'
import { requireViewer } from '../viewer'
import { refusalIn } from './refusals'

export interface Opened {
  project: Project
  viewer: MemberViewer
  role: Role
}

/** The project an address names, for whoever is signed in and belongs to it. Layout and page ask; it is opened once. */
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
    if (refusalIn(problem)) notFound()
    throw problem
  }
}

/** Why a button is not for this role; undefined when it is. */
export const whyNot = (right: Right, role: Role): string | undefined =>
  covers(role, right) ? undefined : `It takes the role ${rights[right].least}; yours is ${role}.`
