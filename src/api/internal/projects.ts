import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { storedIntakeSettings } from '#ingest/project-settings'
import { answersOfProject } from '#insights/project-settings'
import { newProject, type Project, projectChanges } from '#projects/project'
import { success, type Endpoint, mapOutcome } from './endpoint'

const projectShape = z
  .object({
    id: z.number(),
    slug: z.string(),
    name: z.string(),
    timeZone: z.string(),
    writeKey: z.string(),
    hosts: z.array(z.string()),
    siteAddress: z
      .string()
      .meta({ description: 'The address of the site that sends its events; empty without one' }),
    aliases: z.array(z.string()),
    intake: z.record(z.string(), z.unknown()),
    answers: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Internal and test users, currency and first day of the week' }),
    createdAt: instant,
    archivedAt: instant.optional(),
  })
  .meta({ id: 'Project' })

const projectBody = (project: Project): Project => project

const showProject = ({ project }: { project: Project }) => projectBody(project)

export const projectEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects',
    summary: 'List the projects this key can see',
    responseSchema: z.object({ projects: z.array(projectShape) }),
    handle: async ({ product, viewer }) =>
      success({ projects: product.projects.list(viewer).map(projectBody) }),
  },
  {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project (people only: a key belongs to one project)',
    input: newProject,
    responseSchema: projectShape,
    status: 201,
    handle: async ({ product, viewer, input }) =>
      mapOutcome(await product.projects.create(input, viewer), showProject),
  },
  {
    method: 'GET',
    path: '/projects/{project}',
    summary: 'Read a project',
    right: 'project:read',
    responseSchema: projectShape,
    handle: async ({ product, viewer, pathParameter }) =>
      success(projectBody(product.projects.find(pathParameter('project'), viewer))),
  },
  {
    method: 'PATCH',
    path: '/projects/{project}',
    summary: 'Change name, URL slug, time zone or settings',
    right: 'project:write',
    input: projectChanges.extend({
      intake: storedIntakeSettings.optional(),
      answers: answersOfProject.optional(),
    }),
    responseSchema: projectShape,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.projects.change(project().id, input, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/archive',
    summary: 'Archive the project: it accepts no events; nothing is deleted',
    right: 'project:archive',
    responseSchema: projectShape,
    handle: async ({ product, viewer, project }) =>
      mapOutcome(await product.projects.archive(project().id, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/restore',
    summary: 'Restore an archived project',
    right: 'project:archive',
    responseSchema: projectShape,
    handle: async ({ product, viewer, project }) =>
      mapOutcome(await product.projects.restore(project().id, viewer), showProject),
  },
  {
    method: 'POST',
    path: '/projects/{project}/write-key',
    summary: 'Renew the public write key; the old one stops working immediately',
    right: 'keys:write',
    responseSchema: projectShape,
    handle: async ({ product, viewer, project }) =>
      mapOutcome(await product.projects.renewWriteKey(project().id, viewer), showProject),
  },
]
