import { z } from 'zod'
import { intakeOfProject } from '../../ingest/project-settings'
import { newProject, type Project, projectChanges } from '../../projects/project'
import { done, type Endpoint, instant, shownAs } from './endpoint'

const projectShape = z
  .object({
    id: z.number(),
    slug: z.string(),
    name: z.string(),
    timeZone: z.string(),
    writeKey: z.string(),
    hosts: z.array(z.string()),
    aliases: z.array(z.string()),
    intake: z.record(z.string(), z.unknown()),
    createdAt: instant,
    archivedAt: instant.optional(),
  })
  .meta({ id: 'Project' })

const shown = (project: Project): Project => project

const showProject = ({ project }: { project: Project }) => shown(project)

export const projectEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects',
    summary: 'List the projects this key can see',
    answers: z.object({ projects: z.array(projectShape) }),
    answer: async ({ product, viewer }) => done({ projects: product.projects.list(viewer).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project (people only: a key belongs to one project)',
    input: newProject,
    answers: projectShape,
    status: 201,
    answer: async ({ product, viewer, input }) =>
      shownAs(await product.projects.create(input, viewer), showProject),
  },
  {
    method: 'GET',
    path: '/projects/{project}',
    summary: 'Read a project',
    right: 'project:read',
    answers: projectShape,
    answer: async ({ project }) => done(shown(project())),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}',
    summary: 'Change name, address part or time zone',
    right: 'project:write',
    input: projectChanges.extend({ intake: intakeOfProject.optional() }),
    answers: projectShape,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.projects.change(project().id, input, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/archive',
    summary: 'Archive the project: closed to events, out of sight, nothing deleted',
    right: 'project:archive',
    answers: projectShape,
    answer: async ({ product, viewer, project }) =>
      shownAs(await product.projects.archive(project().id, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/restore',
    summary: 'Bring an archived project back',
    right: 'project:archive',
    answers: projectShape,
    answer: async ({ product, viewer, project }) =>
      shownAs(await product.projects.restore(project().id, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/write-key',
    summary: 'Renew the public write key; the one before stops working at once',
    right: 'keys:write',
    answers: projectShape,
    answer: async ({ product, viewer, project }) =>
      shownAs(await product.projects.renewWriteKey(project().id, viewer), showProject),
  },
]
